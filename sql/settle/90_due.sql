-- due_wagers: what is due on each wager. Every price is a fraction of whole numbers, and is rounded once; a free wager hands back what a
-- paid one would, less the stake. Where nothing is to be divided the stake is multiplied as it stands.
CREATE OR REPLACE TEMP VIEW due_wagers AS
WITH stakes AS (
    SELECT
        wagers.*,
        CAST(wagers.stake AS DECIMAL(38, 6)) AS wide_stake,
        meter_wagers.winners,
        meter_wagers.over AS meter_over,
        coalesce(meter_wagers.is_missing, false) AS is_missing
    FROM wager_verdicts AS wagers
    LEFT JOIN meter_wagers ON meter_wagers.wager_key = wagers.wager_key
)
SELECT
    wager_key,
    verdict_no,
    filing_no,
    is_capped,
    is_missing,
    CASE WHEN is_free THEN 0 ELSE wide_stake END AS own_stake,
    CASE
        WHEN settlement = 'settled' THEN
            CASE
                WHEN is_missing THEN NULL
                WHEN is_nothing THEN 0
                WHEN is_whole THEN greatest(whole_plus + whole_times * wide_stake - if(is_free, wide_stake, 0), 0)
                WHEN winners IS NULL OR has_bonus
                    THEN micro_to_amount(rounded_fraction(
                        greatest(plus + (stake_times - if(is_free, under, 0)) * amount_to_micro(stake), 0),
                        under, minor_unit, rounding
                    ))
                ELSE micro_to_amount(rounded_fraction(
                    greatest(meter_over + (stake_times - if(is_free, under, 0)) * amount_to_micro(stake) * winners, 0),
                    under * winners, minor_unit, rounding
                ))
            END
        WHEN settlement = 'voided' THEN CASE WHEN is_free OR is_reversed OR is_kept THEN 0 ELSE wide_stake END
    END AS due,
    CASE
        WHEN NOT has_bonus OR is_missing THEN NULL
        WHEN NOT pays_bonus THEN 0
        ELSE micro_to_amount(rounded_fraction(
            coalesce(meter_over, bonus_plus + bonus_times * amount_to_micro(stake)),
            bonus_under * coalesce(winners, 1), minor_unit, bonus_rounding
        ))
    END AS due_bonus
FROM stakes;
