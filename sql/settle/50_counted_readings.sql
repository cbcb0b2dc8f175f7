-- corrections: the readings that say they replace another, each beside every reading that has the number it names.
CREATE OR REPLACE TEMP TABLE corrections AS
SELECT
    later.round_key,
    later.reading_no,
    later.seq,
    later.replaces,
    later.hand_key,
    earlier.reading_no AS earlier_no,
    earlier.hand_key AS earlier_hand_key,
    earlier.replaces AS earlier_replaces,
    later."to" IS NOT DISTINCT FROM earlier."to" AND later.position IS NOT DISTINCT FROM earlier.position AS same_place
FROM (SELECT * FROM current_card_readings WHERE replaces IS NOT NULL) AS later
LEFT JOIN current_card_readings AS earlier ON earlier.round_key = later.round_key AND earlier.seq = later.replaces;

-- broken_corrections: the readings whose `replaces` cannot be followed, with what is wrong and the hands that it casts doubt on.
CREATE OR REPLACE TEMP TABLE broken_corrections AS
WITH RECURSIVE chains (round_key, start_no, reading_no) AS (
    SELECT round_key, reading_no, earlier_no FROM corrections WHERE earlier_replaces IS NOT NULL
    UNION
    SELECT chains.round_key, chains.start_no, corrections.earlier_no
    FROM chains
    JOIN corrections ON corrections.round_key = chains.round_key AND corrections.reading_no = chains.reading_no
    WHERE corrections.earlier_replaces IS NOT NULL
),
contested AS (
    SELECT round_key, replaces FROM corrections GROUP BY ALL HAVING count(DISTINCT reading_no) > 1
),
faults AS (
    SELECT round_key, reading_no, hand_key, earlier_hand_key, 'which no reading has' AS fault, 10 AS fault_no
    FROM corrections WHERE earlier_no IS NULL
    UNION ALL
    SELECT round_key, reading_no, hand_key, NULL, 'which is itself', 20 FROM corrections WHERE replaces = seq
    UNION ALL
    SELECT corrections.round_key, corrections.reading_no, corrections.hand_key, NULL, 'which leads back to itself', 30
    FROM corrections
    JOIN chains
        ON chains.round_key = corrections.round_key
        AND chains.start_no = corrections.reading_no
        AND chains.reading_no = corrections.reading_no
    UNION ALL
    SELECT round_key, reading_no, hand_key, earlier_hand_key, 'which is another place', 40
    FROM corrections WHERE earlier_no IS NOT NULL AND NOT same_place
    UNION ALL
    SELECT corrections.round_key, corrections.reading_no, corrections.hand_key, NULL, 'which another reading replaces too', 50
    FROM corrections
    JOIN contested USING (round_key, replaces)
)
SELECT * FROM faults;

-- replaced_readings: the readings that another replaces.
CREATE OR REPLACE TEMP TABLE replaced_readings AS
SELECT round_key, earlier_no AS reading_no
FROM corrections
WHERE earlier_no <> reading_no;

-- counted_readings: the readings that no other replaces, with the bit of the card (null where it cannot be read).
CREATE OR REPLACE TEMP VIEW counted_readings AS
SELECT
    readings.round_key,
    readings.hand_key,
    readings.reading_no,
    readings.seq,
    readings."to",
    readings.position,
    readings.card,
    card_faces.card_bit
FROM current_card_readings AS readings
ANTI JOIN replaced_readings AS replaced ON replaced.round_key = readings.round_key AND replaced.reading_no = readings.reading_no
LEFT JOIN card_faces ON card_faces.card = readings.card;
