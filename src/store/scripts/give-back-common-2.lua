#!lua
-- Gives back units of a limit over all members, of goods that were returned. Safe to repeat.
--   KEYS[1]  use   KEYS[2]  settled
--   ARGV[1]  calculationId and returnId   ARGV[2]  usage key
--   ARGV[3]  units                        ARGV[4]  retention (ms)
-- Returns the units given back now.
--- @include "clock"
--- @include "holds"
--- @include "common"

if not settle_once(KEYS[2], ARGV[1], now_ms(), tonumber(ARGV[4])) then
  return 0
end
-- A period that is over may be gone.
local given = math.min(tonumber(ARGV[3]), tonumber(redis.call('HGET', KEYS[1], ARGV[2]) or 0))
if given > 0 then
  redis.call('HINCRBY', KEYS[1], ARGV[2], -given)
end
return given
