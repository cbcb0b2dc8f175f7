-- hand_classes: what a paytable can tell apart. Numbers 0 to 7 are hands of three cards, 10 to 21 the best five of six.
CREATE OR REPLACE TEMP TABLE hand_classes AS
SELECT CAST(no AS TINYINT) AS class_no, category, judged_on
FROM (
    VALUES
    (0, 'high_card', 'player_three'), (1, 'pair', 'player_three'), (2, 'flush', 'player_three'), (3, 'straight', 'player_three'),
    (4, 'three_of_a_kind', 'player_three'), (5, 'straight_flush', 'player_three'), (6, 'straight_flush', 'player_three'),
    (7, 'straight_flush', 'player_three'),
    (10, 'high_card', 'best_five_of_six'), (11, 'pair', 'best_five_of_six'), (12, 'two_pair', 'best_five_of_six'),
    (13, 'three_of_a_kind', 'best_five_of_six'), (14, 'straight', 'best_five_of_six'), (15, 'flush', 'best_five_of_six'),
    (16, 'full_house', 'best_five_of_six'), (17, 'four_of_a_kind', 'best_five_of_six'), (18, 'straight_flush', 'best_five_of_six'),
    (19, 'royal_flush', 'best_five_of_six'), (20, 'royal_flush', 'best_five_of_six'), (21, 'royal_flush', 'best_five_of_six')
) AS classes (no, category, judged_on);

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
