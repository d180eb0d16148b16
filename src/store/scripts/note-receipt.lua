#!lua
-- Notes a calculation under a receipt number. Numbers come again in other shops, so a receipt may have several.
--- @declared "sales"

local most = 20 * 37
local present = redis.call('GET', receipt_key) or ''
if string.find(present, calculation_id, 1, true) then
  return
end
local noted = present == '' and calculation_id or (present .. ' ' .. calculation_id)
-- The oldest leave first.
redis.call('SET', receipt_key, string.sub(noted, math.max(1, #noted - most + 2)), 'PX', kept_ms)
