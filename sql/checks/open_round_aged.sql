-- check: open_round_aged
-- title: A round has been open too long
-- severity: medium
-- family: log
-- reach: day
-- filing_key: open_round_limit
-- question: Which open or interrupted rounds are older than the filed limit, against the newest time in their studio's deliveries?
-- examines: ageing_rounds
-- subject: open or interrupted rounds
-- unless: limit_s is null — no filing in force sets a limit
-- unless: newest is null — no time in the studio's deliveries is known
-- means: The round is still open or interrupted, and the studio's deliveries go on for longer after it than the filing's limit allows.
-- matters: The stakes in it are held without a result. An open round that is forgotten is a refund that is never made.
-- do: Have it settled or voided. Look in the view `open_rounds` for what is staked in it.

SELECT
    table_id, round_id, round_key, dealer_id, filing_no, source_file, source_line,
    format(
        'The round is still {}, and the studio''s deliveries go on for more than {} hours after it began: '
            || 'it was due to be settled or voided ({{filing}}: {{rule}}).',
        status, regexp_replace(format('{:.2f}', limit_s / 3600), '\.?0+$', '')
    ) AS message
FROM ageing_rounds
WHERE epoch_us(newest) - epoch_us(dated_at) > limit_s * 1000000
