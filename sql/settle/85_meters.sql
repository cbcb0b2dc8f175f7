-- meter_pots: for each kind that wins from a meter, what the meter held when the round was decided, in millionths. The meter is the one
-- that the filing says the kind has a share of, else one that the log names for the kind; never one in another currency than the wager's.
CREATE OR REPLACE TEMP TABLE meter_pots AS
WITH sharing AS (
    SELECT DISTINCT kind_no, filing_no, terms_currency, if(kind = 'ante', 'ante_bonus', kind) AS kind
    FROM verdicts
    WHERE from_meter
)
SELECT
    meters.round_key,
    sharing.kind_no,
    sharing.terms_currency,
    unnest(arg_min(
        struct_pack(
            meter_no := meters.meter_no,
            pot := amount_to_micro(meters.before) + amount_to_micro(coalesce(meters.contribution, 0)),
            each_in_full := coalesce(own.several_winners, other.several_winners) = 'each_in_full'
        ),
        struct_pack(named_by_log := own.share_of IS DISTINCT FROM sharing.kind, meter_no := meters.meter_no)
    ))
FROM meters
CROSS JOIN sharing
LEFT JOIN filed_meters AS own ON own.filing_no = sharing.filing_no AND own.meter_id = meters.meter_id
LEFT JOIN (
    SELECT filing_no, share_of, min(several_winners) AS several_winners FROM filed_meters GROUP BY ALL
) AS other ON other.filing_no = sharing.filing_no AND other.share_of = sharing.kind
WHERE
    meters.is_current
    AND meters.before IS NOT NULL
    AND (own.share_of = sharing.kind OR meters.kind = sharing.kind)
    AND coalesce(meters.currency, sharing.terms_currency) = sharing.terms_currency
GROUP BY meters.round_key, sharing.kind_no, sharing.terms_currency;

-- meter_wagers: the wagers that win from a meter, with their part of it: the pot shared by the real wagers that hit the meter's line in the
-- round, or the whole of it each. is_missing: the round has no such meter in the wager's currency.
CREATE OR REPLACE TEMP TABLE meter_wagers AS
SELECT
    wagers.wager_key,
    pots.pot IS NULL AS is_missing,
    verdicts.meter_times * pots.pot AS over,
    CAST(
        if(
            pots.each_in_full,
            1,
            greatest(count(*) FILTER (wagers.play_mode = 'real') OVER (PARTITION BY wagers.round_key, pots.meter_no, verdicts.line), 1)
        ) AS HUGEINT
    ) AS winners
FROM (SELECT * FROM wager_verdicts WHERE from_meter) AS verdicts
JOIN current_wagers AS wagers ON wagers.wager_key = verdicts.wager_key
LEFT JOIN meter_pots AS pots
    ON pots.round_key = wagers.round_key
    AND pots.kind_no = verdicts.kind_no
    AND pots.terms_currency = verdicts.terms_currency;
