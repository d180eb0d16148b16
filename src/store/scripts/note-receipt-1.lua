#!lua
-- Notes a calculation under a receipt number. Numbers come again in other shops, so a receipt may have several.
--   KEYS[1]  receipt
--   ARGV[1]  calculationId             ARGV[2]  keptMs
-- Returns isNoted: 1 when it was, 0 when it stood there before
local most = 20 * 37
local present = redis.call('GET', KEYS[1]) or ''
if string.find(present, ARGV[1], 1, true) then
  return 0
end
local noted = present == '' and ARGV[1] or (present .. ' ' .. ARGV[1])
-- The oldest leave first.
redis.call('SET', KEYS[1], string.sub(noted, math.max(1, #noted - most + 2)), 'PX', ARGV[2])
return 1
