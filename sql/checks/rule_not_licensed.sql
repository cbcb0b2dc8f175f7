-- check: rule_not_licensed
-- title: A filed rule is not licensed
-- severity: high
-- family: filing
-- reach: day
-- citation: 58 Pa. Code Chapters 649a, 649b
-- question: Which Pennsylvania filings that governed rounds of the day file a rule of the game that is not licensed?
-- examines: governed_tables
-- subject: rounds
-- unless: filing_no is null — no filing was in force
-- unless: jurisdiction <> 'US-PA' — the filing is not of Pennsylvania
-- means: A Pennsylvania filing that governed rounds of the day files a rule of the game, such as the qualifier, the tie or the fold, that
--   the regulation does not allow.
-- matters: Changed rules change the game's edge as much as a changed paytable does, and are seen less easily.
-- do: Run `resettle filing check` on the file and read which rule is meant. Mostly a filing for another jurisdiction was copied.

-- A filing has one verdict a key that names a rule.
SELECT
    gaming_day, filing_no, play_mode, filing_id || ' ' || key AS detail, citation, key AS filing_key, source_file,
    format(
        'Table {} ran on gaming day {} under {{filing}}, which files a rule that is not licensed: {} ({}).', tables, gaming_day, message,
        citation
    ) AS message
FROM licence_told
WHERE check_id = 'rule_not_licensed'
