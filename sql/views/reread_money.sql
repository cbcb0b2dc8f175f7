-- view: reread_money
-- title: What was due in rounds with a late correction by the first and by the last reading, in words
-- reach: round

-- One row a round of `reread`, over the real wagers that were taken, per currency. What a reading cannot settle is counted apart.
WITH read AS (
    SELECT round_key, currency, reading, sum(due) AS due, count(*) - count(due) AS undecided
    FROM (
        SELECT taken.round_key, taken.currency, reread.first_due, reread.last_due
        FROM reread
        JOIN settlements AS taken ON taken.wager_key = reread.wager_key
        WHERE taken.play_mode = 'real' AND taken.settlement <> 'not_accepted'
    )
    UNPIVOT INCLUDE NULLS (due FOR reading IN (first_due AS 'first', last_due AS 'last'))
    GROUP BY round_key, currency, reading
),
told AS (
    SELECT
        round_key,
        currency,
        string_agg(
            format('by the {} reading {}', reading, concat_ws(
                ' and ',
                if(due IS NULL, NULL, money(due, currency) || ' is due in all'),
                if(undecided = 0, NULL, format('{} cannot be settled', counted(undecided, currency || ' wager')))
            )),
            ', '
            ORDER BY reading
        ) AS told
    FROM read
    GROUP BY round_key, currency
)
SELECT round_key, string_agg(told, '; ' ORDER BY currency) AS told
FROM told
GROUP BY round_key
