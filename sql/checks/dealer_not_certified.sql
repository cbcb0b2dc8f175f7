-- check: dealer_not_certified
-- title: A dealer is not on the roster of the day
-- severity: high
-- family: control
-- reach: day
-- needs: roster
-- citation: 58 Pa. Code ch. 611a
-- question: Which dealers dealt on the day without a certificate for the game that covers it?
-- examines: current_rounds
-- subject: rounds
-- unless: dealer_id is null — the log does not name the dealer
-- means: The dealer dealt on this gaming day without a certificate for the game on the roster that covers it.
-- matters: Dealers are to be trained and certified for the game that they deal. Rounds dealt by anyone else stand open to dispute.
-- do: If the roster is behind, complete it and run the audit again. If it is right, take the dealer off the game and decide what the rounds
--   mean for the licence.

WITH dealing AS (
    SELECT studio_id, gaming_day, dealer_id, game, count(*) AS rounds, list_sort(list(DISTINCT table_id)) AS tables
    FROM current_rounds
    WHERE dealer_id IS NOT NULL
    GROUP BY ALL
),
certificates AS (
    SELECT dealer_id, replace(lower(game), ' ', '_') AS game, certified_from, certified_to FROM roster
),
held AS (
    SELECT
        dealing.*,
        count(certificates.dealer_id) AS certificates,
        bool_or(dealing.gaming_day BETWEEN certificates.certified_from AND coalesce(certificates.certified_to, DATE '9999-12-31')) AS covered,
        max(certificates.certified_to) AS last_day,
        min(certificates.certified_from) AS first_day
    FROM dealing
    LEFT JOIN certificates ON certificates.dealer_id = dealing.dealer_id AND certificates.game = dealing.game
    GROUP BY ALL
)
SELECT
    gaming_day, dealer_id,
    (
        SELECT min(filed.filing_no)
        FROM filings AS filed
        WHERE filed.studio_id = held.studio_id
            AND list_has_any(filed.tables, held.tables)
            AND held.gaming_day BETWEEN filed.effective_from AND coalesce(filed.effective_to, DATE '9999-12-31')
    ) AS filing_no,
    format(
        'Dealer {} dealt {} at {} {}: a certificate for the game was due ({{rule}}).',
        dealer_id, CASE WHEN rounds = 1 THEN 'one round' ELSE rounds || ' rounds' END, array_to_string(tables, ', '),
        CASE
            WHEN certificates = 0 THEN 'and is not on the roster for this game'
            WHEN first_day > gaming_day THEN 'and is certified from ' || first_day || ' only'
            WHEN last_day < gaming_day THEN 'and was certified until ' || last_day
            ELSE 'between two certificates'
        END
    ) AS message
FROM held
WHERE NOT coalesce(covered, false)
