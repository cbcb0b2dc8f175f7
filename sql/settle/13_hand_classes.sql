-- hand_classes: what a paytable can tell apart. Numbers 0 to 7 are hands of three cards, 10 to 21 the best five of six.
CREATE OR REPLACE TEMP TABLE hand_classes AS
SELECT CAST(no AS TINYINT) AS class_no, category
FROM (
    VALUES
    (0, 'high_card'), (1, 'pair'), (2, 'flush'), (3, 'straight'), (4, 'three_of_a_kind'),
    (5, 'straight_flush'), (6, 'straight_flush'), (7, 'straight_flush'),
    (10, 'high_card'), (11, 'pair'), (12, 'two_pair'), (13, 'three_of_a_kind'), (14, 'straight'), (15, 'flush'),
    (16, 'full_house'), (17, 'four_of_a_kind'), (18, 'straight_flush'),
    (19, 'royal_flush'), (20, 'royal_flush'), (21, 'royal_flush')
) AS classes (no, category);

-- class_lines: the lines that can pay a class, the most specific first (choice 1). Nothing falls through but what stands here.
CREATE OR REPLACE TEMP TABLE class_lines AS
SELECT class_no, category AS line, 1 AS choice FROM hand_classes WHERE class_no NOT IN (6, 7, 19, 20, 21)
UNION ALL
SELECT CAST(no AS TINYINT), line, choice
FROM (
    VALUES
    (6, 'mini_royal', 1), (6, 'straight_flush', 2),
    (7, 'mini_royal_spades', 1), (7, 'mini_royal', 2), (7, 'straight_flush', 3),
    (19, 'royal_flush', 1), (19, 'straight_flush', 2),
    (20, 'super_royal_other', 1), (20, 'six_card_royal', 2), (20, 'royal_flush', 3), (20, 'straight_flush', 4),
    (21, 'super_royal_diamonds', 1), (21, 'six_card_royal', 2), (21, 'royal_flush', 3), (21, 'straight_flush', 4)
) AS falls (no, line, choice);

-- minor_units: currencies whose smallest coin is not a hundredth (ISO 4217), in millionths of the major unit.
CREATE OR REPLACE TEMP TABLE minor_units AS
SELECT unnest(string_split(currencies, ' ')) AS currency, CAST(unit AS BIGINT) AS unit
FROM (
    VALUES
    ('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF', 1000000),
    ('BHD IQD JOD KWD LYD OMR TND', 1000),
    ('CLF UYW', 100)
) AS units (currencies, unit);
