-- view: meter_links
-- title: What is to be judged of each meter movement: its own sum, and where it starts
-- reach: day
-- keep: nothing

SELECT *, false AS is_start FROM meter_movements
UNION ALL
SELECT *, true AS is_start FROM meter_movements
