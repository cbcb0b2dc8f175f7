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
-- Uncut it is later too, which is cheaper to ask first.
CREATE OR REPLACE MACRO is_after(a, a_digits, b, b_digits) AS
    CAST(a AS TIMESTAMPTZ) > CAST(b AS TIMESTAMPTZ)
    AND epoch_us(CAST(a AS TIMESTAMPTZ)) // time_unit_us(a_digits, b_digits)
    > epoch_us(CAST(b AS TIMESTAMPTZ)) // time_unit_us(a_digits, b_digits);

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

-- rounded_fraction(over, under, minor_unit, rounding): over / under in whole millionths, neither below zero, rounded once: 'down' or
-- 'half_up' to a multiple of minor_unit (10000: a hundredth), or 'exact': half up at the sixth decimal.
CREATE OR REPLACE MACRO rounded_fraction(over, under, minor_unit, rounding) AS
    CASE rounding
        WHEN 'down' THEN over // (under * minor_unit) * minor_unit
        WHEN 'half_up' THEN (2 * over + under * minor_unit) // (2 * under * minor_unit) * minor_unit
        ELSE (2 * over + under) // (2 * under)
    END;

-- portion(amount, part, whole): amount times part divided by whole, whole numbers whose product may pass 128 bits: the quotient and the
-- remainder, three digits of part after three. portion(7, 2, 3) = {'quotient': 4, 'remainder': 2}.
CREATE OR REPLACE MACRO portion(amount, part, whole) AS list_reduce(
    list_transform(
        regexp_extract_all(lpad(CAST(part AS VARCHAR), 39, '0'), '...'), lambda digits: CAST(digits AS HUGEINT)
    ),
    lambda done, digits: {
        'quotient': done.quotient * 1000 + (done.remainder * 1000 + amount * digits) // whole,
        'remainder': (done.remainder * 1000 + amount * digits) % whole
    },
    {'quotient': CAST(0 AS HUGEINT), 'remainder': CAST(0 AS HUGEINT)}
);

-- kind_in_words(kind): a wager kind as a sentence names it. kind_in_words('five_of_six_progressive') = 'Five Of Six Progressive'.
CREATE OR REPLACE MACRO kind_in_words(kind) AS
    list_aggregate(list_transform(string_split(kind, '_'), lambda word: upper(word[1]) || word[2:]), 'string_agg', ' ');

-- pennsylvania_rule(filing_key, bonus_paytable): the rule of Pennsylvania that a key of a filing compares with; the ante bonus by the name
-- of its licensed paytable, where one was filed by name. pennsylvania_rule('pair_plus.odds.flush', NULL) = '58 Pa. Code § 649a.12(d)'
CREATE OR REPLACE MACRO pennsylvania_rule(filing_key, bonus_paytable) AS
    CASE
        WHEN filing_key IN ('fold', 'pair_plus.forfeited_by_fold') THEN '58 Pa. Code § 649a.11(b)(1)'
        WHEN filing_key LIKE '%.forfeited_by_fold' OR filing_key = 'qualifier' THEN '58 Pa. Code § 649a.11'
        WHEN filing_key IN ('wagers.ante', 'wagers.play') THEN '58 Pa. Code § 649a.12'
        WHEN filing_key = 'void' THEN '58 Pa. Code § 816a.1'
        WHEN filing_key LIKE 'ante_bonus.%' THEN coalesce(bonus_paytable, '58 Pa. Code § 649a.12(b)')
        WHEN filing_key LIKE 'pair_plus.%' THEN '58 Pa. Code § 649a.12(d)'
        WHEN filing_key LIKE 'progressive.%' THEN '58 Pa. Code § 649a.12(e)'
        WHEN filing_key LIKE 'six_card_bonus.%' THEN '58 Pa. Code § 649a.12(f)'
        WHEN filing_key LIKE 'player_bonus.%' THEN '58 Pa. Code § 649b.3'
    END;

-- counted(n, noun): a number with its noun. counted(1, 'card') = '1 card', counted(2, 'card') = '2 cards'.
CREATE OR REPLACE MACRO counted(n, noun) AS n || ' ' || noun || CASE WHEN n = 1 THEN '' ELSE 's' END;

-- are_cards(cards, n): the list holds n different cards, each spelled as rank 23456789TJQKA and suit cdhs.
CREATE OR REPLACE MACRO are_cards(cards, n) AS
    coalesce(
        len(CAST(cards AS VARCHAR[])) = n
        AND len(list_distinct(list_filter(CAST(cards AS VARCHAR[]), lambda c: regexp_full_match(c, '[2-9TJQKA][cdhs]')))) = n,
        false
    );

-- card_ranks(cards): the ranks of cards, highest first; 1 is a two, 13 an ace.
CREATE OR REPLACE MACRO card_ranks(cards) AS
    list_reverse_sort(list_transform(CAST(cards AS VARCHAR[]), lambda c: strpos('23456789TJQKA', left(c, 1))));

-- are_suited(cards): all of one suit.
CREATE OR REPLACE MACRO are_suited(cards) AS len(list_distinct(list_transform(CAST(cards AS VARCHAR[]), lambda c: right(c, 1)))) = 1;

-- ranks_category(ranks, suited): the category of three ranks, highest first; A-2-3 is the lowest straight.
CREATE OR REPLACE MACRO ranks_category(ranks, suited) AS
    CASE
        WHEN ranks[1] = ranks[3] THEN 'three_of_a_kind'
        WHEN ranks[1] = ranks[2] OR ranks[2] = ranks[3] THEN 'pair'
        WHEN (ranks[1] - ranks[2] = 1 AND ranks[2] - ranks[3] = 1) OR ranks = [13, 2, 1]
            THEN CASE WHEN suited THEN 'straight_flush' ELSE 'straight' END
        WHEN suited THEN 'flush'
        ELSE 'high_card'
    END;

-- hand_category(cards): the category of three cards; null where they are not three different readable cards.
-- hand_category(['Qs', 'Ks', 'As']) = 'straight_flush'
CREATE OR REPLACE MACRO hand_category(cards) AS
    CASE WHEN are_cards(cards, 3) THEN ranks_category(card_ranks(cards), are_suited(cards)) END;

-- ranks_strength(category, ranks): see hand_strength.
CREATE OR REPLACE MACRO ranks_strength(category, ranks) AS
    (list_position(['high_card', 'pair', 'flush', 'straight', 'three_of_a_kind', 'straight_flush'], category) - 1) * 10000
    + CASE
        WHEN ranks = [13, 2, 1] THEN 0
        WHEN category = 'pair' THEN ranks[2] * 196 + CASE WHEN ranks[1] = ranks[2] THEN ranks[3] ELSE ranks[1] END
        ELSE ranks[1] * 196 + ranks[2] * 14 + ranks[3]
    END;

-- hand_strength(cards): a number by which two hands of three cards compare: the higher beats the lower, equal hands tie.
-- hand_strength(['Qs', '3d', '2h']) > hand_strength(['Js', 'Td', '8h'])
CREATE OR REPLACE MACRO hand_strength(cards) AS CAST(ranks_strength(hand_category(cards), card_ranks(cards)) AS INTEGER);

-- rank_times(ranks): how often each rank that occurs does, most often first.
CREATE OR REPLACE MACRO rank_times(ranks) AS
    list_reverse_sort(list_transform(list_distinct(ranks), lambda rank: len(list_filter(ranks, lambda other: other = rank))));

-- has_run(ranks): five ranks in a row are among them; the ace stands above the king and below the two.
CREATE OR REPLACE MACRO has_run(ranks) AS
    len(list_filter(range(0, 10), lambda low: list_has_all(
        list_concat(ranks, CASE WHEN list_contains(ranks, 13) THEN [0] ELSE [] END), [low, low + 1, low + 2, low + 3, low + 4]
    ))) > 0;

-- flush_ranks(cards): the ranks of the suit of which there are five or more; empty where there is none.
CREATE OR REPLACE MACRO flush_ranks(cards) AS
    card_ranks(list_filter(
        CAST(cards AS VARCHAR[]),
        lambda c: len(list_filter(CAST(cards AS VARCHAR[]), lambda other: right(other, 1) = right(c, 1))) >= 5
    ));

-- best_five_of_six(cards): the best category that five of six cards make; null where they are not six different readable cards.
-- best_five_of_six(['Ts', 'Js', 'Qs', 'Ks', 'As', '2d']) = 'royal_flush'
CREATE OR REPLACE MACRO best_five_of_six(cards) AS
    CASE
        WHEN NOT are_cards(cards, 6) THEN NULL
        WHEN list_has_all(flush_ranks(cards), [9, 10, 11, 12, 13]) THEN 'royal_flush'
        WHEN has_run(flush_ranks(cards)) THEN 'straight_flush'
        WHEN rank_times(card_ranks(cards))[1] = 4 THEN 'four_of_a_kind'
        WHEN rank_times(card_ranks(cards))[1] = 3 AND rank_times(card_ranks(cards))[2] >= 2 THEN 'full_house'
        WHEN len(flush_ranks(cards)) > 0 THEN 'flush'
        WHEN has_run(card_ranks(cards)) THEN 'straight'
        WHEN rank_times(card_ranks(cards))[1] = 3 THEN 'three_of_a_kind'
        WHEN rank_times(card_ranks(cards))[2] = 2 THEN 'two_pair'
        WHEN rank_times(card_ranks(cards))[1] = 2 THEN 'pair'
        ELSE 'high_card'
    END;

-- price_part(price, place): the number before (1) or after (2) the word of 'x to y' or 'x for y'.
CREATE OR REPLACE MACRO price_part(price, place) AS CAST(string_split(price, ' ')[2 * place - 1] AS HUGEINT);

-- settle_wager(stake, outcome, price, funding): what is handed back on a wager, for checking by hand; the ante bonus, meters, flat amounts,
-- rounding to a coin and limits apart. outcome is win, lose, push, forfeit or void, price 'x to y' (the stake comes back too) or 'x for y'
-- (it does not), funding cash or free (a win hands back the winnings without the stake). Half up at the sixth decimal.
-- settle_wager(5, 'win', '40 to 1') = 205; settle_wager(5, 'win', '40 to 1', 'free') = 200
CREATE OR REPLACE MACRO settle_wager(stake, outcome, price := '1 to 1', funding := 'cash') AS
    CASE
        WHEN outcome IN ('push', 'void') THEN CASE WHEN funding = 'free' THEN 0 ELSE CAST(stake AS DECIMAL(38, 6)) END
        WHEN outcome = 'win' THEN micro_to_amount(rounded_fraction(
            greatest(
                amount_to_micro(stake)
                * (
                    price_part(price, 1)
                    + CASE WHEN price LIKE '% to %' THEN price_part(price, 2) ELSE 0 END
                    - CASE WHEN funding = 'free' THEN price_part(price, 2) ELSE 0 END
                ),
                0
            ),
            price_part(price, 2), 1, 'exact'
        ))
        WHEN outcome IN ('lose', 'forfeit') THEN 0
    END;

-- severity_rank(severity): 1 for critical, 2 for high, 3 for medium, 4 for info, to sort by. severity_rank('high') = 2
CREATE OR REPLACE MACRO severity_rank(severity) AS list_position(['critical', 'high', 'medium', 'info'], severity);

-- status_after(action): how a finding stands after what was recorded about it; NULL after a note. status_after('close') = 'closed'
CREATE OR REPLACE MACRO status_after(action) AS
    map(['assign', 'accept', 'dispute', 'close'], ['assigned', 'accepted', 'disputed', 'closed'])[action];

-- hand_category(cards), as a table: three cards with their category and strength, for a join or a look.
-- FROM hand_category(['Qs', 'Ks', 'As']) has one row, straight_flush.
CREATE OR REPLACE MACRO hand_category(cards) AS TABLE
    SELECT CAST(cards AS VARCHAR[]) AS hand, hand_category(cards) AS category, hand_strength(cards) AS strength;

-- hand_strength(player, dealer), as a table: two hands of three cards beside each other, and who wins.
-- FROM hand_strength(['Qs', '3d', '2h'], ['Js', 'Td', '8h']) has one row; winner is player, dealer or tie.
CREATE OR REPLACE MACRO hand_strength(player, dealer) AS TABLE
    SELECT
        *,
        CASE sign(player_strength - dealer_strength) WHEN 1 THEN 'player' WHEN -1 THEN 'dealer' WHEN 0 THEN 'tie' END AS winner
    FROM (
        SELECT
            CAST(player AS VARCHAR[]) AS player_hand,
            hand_category(player) AS player_category,
            hand_strength(player) AS player_strength,
            CAST(dealer AS VARCHAR[]) AS dealer_hand,
            hand_category(dealer) AS dealer_category,
            hand_strength(dealer) AS dealer_strength
    );

-- best_five_of_six(cards), as a table: six cards with the best category that five of them make.
-- FROM best_five_of_six(['Ts', 'Js', 'Qs', 'Ks', 'As', '2d']) has one row, royal_flush.
CREATE OR REPLACE MACRO best_five_of_six(cards) AS TABLE
    SELECT CAST(cards AS VARCHAR[]) AS hand, best_five_of_six(cards) AS category;

-- settle_wager(stake, outcome, price, funding), as a table: what is handed back and what of it is won, line by line.
-- FROM settle_wager(5, 'win', '40 to 1') has one row: 205 is handed back, 200 of it is won.
CREATE OR REPLACE MACRO settle_wager(stake, outcome, price := '1 to 1', funding := 'cash') AS TABLE
    SELECT
        CAST(stake AS DECIMAL(38, 6)) AS staked,
        outcome AS came_out,
        price AS paid_at,
        funding AS funded,
        settle_wager(stake, outcome, price := price, funding := funding) AS handed_back,
        settle_wager(stake, outcome, price := price, funding := funding)
            - CASE WHEN funding = 'free' THEN 0 ELSE CAST(stake AS DECIMAL(38, 6)) END AS result;
