-- view: first_cards
-- title: When the first cards of a round were read
-- reach: round

-- One row a current round with readings.
SELECT
    round_key,
    min(read_at) AS first_card_at,
    arg_min(read_at_digits, epoch_us(read_at) * 16 + least(read_at_digits, 15)) AS first_card_at_digits,
    min(read_at) FILTER ("to" <> 'dealer') AS first_player_card_at,
    arg_min(read_at_digits, epoch_us(read_at) * 16 + least(read_at_digits, 15)) FILTER ("to" <> 'dealer') AS first_player_card_at_digits,
    min(read_at) FILTER ("to" = 'dealer') AS first_dealer_card_at,
    arg_min(read_at_digits, epoch_us(read_at) * 16 + least(read_at_digits, 15)) FILTER ("to" = 'dealer') AS first_dealer_card_at_digits
FROM current_card_readings
GROUP BY round_key
