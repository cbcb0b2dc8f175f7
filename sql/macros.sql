-- Macros for analysts and checks. Each works by itself, over any table, in DuckDB 1.5 and later, and is stored in audit.duckdb.

-- money(amount, currency): an amount in words, with at least two decimals and never a digit lost.
-- money(28, 'USD') = '28.00 USD', money(0.125, 'KWD') = '0.125 KWD'; a null amount is 'nothing'.
CREATE OR REPLACE MACRO money(amount, currency) AS
    coalesce(
        regexp_replace(CAST(CAST(amount AS DECIMAL(38, 6)) AS VARCHAR), '(\.\d\d\d*?)0*$', '\1') || coalesce(' ' || currency, ''),
        'nothing'
    );

-- time_unit_us(a_digits, b_digits): microseconds in the coarser of two resolutions, given as digits written after the seconds (null: six).
CREATE OR REPLACE MACRO time_unit_us(a_digits, b_digits) AS
    CASE least(coalesce(a_digits, 6), coalesce(b_digits, 6))
        WHEN 0 THEN 1000000 WHEN 1 THEN 100000 WHEN 2 THEN 10000 WHEN 3 THEN 1000 WHEN 4 THEN 100 WHEN 5 THEN 10 ELSE 1
    END;

-- is_after(a, a_digits, b, b_digits): a is later than b, both cut to the coarser of their resolutions; null where a time is missing.
CREATE OR REPLACE MACRO is_after(a, a_digits, b, b_digits) AS
    epoch_us(CAST(a AS TIMESTAMPTZ)) // time_unit_us(a_digits, b_digits) > epoch_us(CAST(b AS TIMESTAMPTZ)) // time_unit_us(a_digits, b_digits);

-- is_at_or_after(a, a_digits, b, b_digits): a is not earlier than b, both cut to the coarser of their resolutions; null where a time is missing.
CREATE OR REPLACE MACRO is_at_or_after(a, a_digits, b, b_digits) AS
    epoch_us(CAST(a AS TIMESTAMPTZ)) // time_unit_us(a_digits, b_digits) >= epoch_us(CAST(b AS TIMESTAMPTZ)) // time_unit_us(a_digits, b_digits);

-- clock(t, digits): a time of day in UTC with the digits that were written after the seconds (null: as many as are not zero, at least three).
-- clock(TIMESTAMPTZ '2026-11-03 15:00:10.4+00', 3) = '15:00:10.400Z'; a null time is 'never'.
CREATE OR REPLACE MACRO clock(t, digits) AS
    coalesce(
        CASE
            WHEN digits IS NULL THEN regexp_replace(strftime(CAST(t AS TIMESTAMPTZ) AT TIME ZONE 'UTC', '%H:%M:%S.%f'), '(\.\d{3}\d*?)0*$', '\1')
            WHEN digits = 0 THEN strftime(CAST(t AS TIMESTAMPTZ) AT TIME ZONE 'UTC', '%H:%M:%S')
            ELSE left(strftime(CAST(t AS TIMESTAMPTZ) AT TIME ZONE 'UTC', '%H:%M:%S.%f'), 9 + least(digits, 6))
        END || 'Z',
        'never'
    );

-- micro_to_amount(micro): whole millionths as an amount; exact, since nothing is divided.
CREATE OR REPLACE MACRO micro_to_amount(micro) AS CAST(CAST(micro AS DECIMAL(38, 0)) * CAST(0.000001 AS DECIMAL(7, 6)) AS DECIMAL(38, 6));

-- amount_to_micro(amount): an amount as whole millionths.
CREATE OR REPLACE MACRO amount_to_micro(amount) AS CAST(CAST(amount AS DECIMAL(38, 6)) * 1000000 AS HUGEINT);

-- rounded_fraction(over, under, minor_unit, rounding): over / under in whole millionths, neither below zero, rounded once: 'down' or 'half_up'
-- to a multiple of minor_unit (10000: a hundredth), or 'exact': half up at the sixth decimal.
CREATE OR REPLACE MACRO rounded_fraction(over, under, minor_unit, rounding) AS
    CASE rounding
        WHEN 'down' THEN over // (under * minor_unit) * minor_unit
        WHEN 'half_up' THEN (2 * over + under * minor_unit) // (2 * under * minor_unit) * minor_unit
        ELSE (2 * over + under) // (2 * under)
    END;

-- kind_in_words(kind): a wager kind as a sentence names it. kind_in_words('five_of_six_progressive') = 'Five Of Six Progressive'.
CREATE OR REPLACE MACRO kind_in_words(kind) AS
    list_aggregate(list_transform(string_split(kind, '_'), lambda word: upper(word[1]) || word[2:]), 'string_agg', ' ');

-- counted(n, noun): a number with its noun. counted(1, 'card') = '1 card', counted(2, 'card') = '2 cards'.
CREATE OR REPLACE MACRO counted(n, noun) AS n || ' ' || noun || CASE WHEN n = 1 THEN '' ELSE 's' END;
