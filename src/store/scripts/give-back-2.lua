#!lua
-- Gives units of a counter back by hand.
--   KEYS[1]  use   KEYS[2]  vouchers
--   ARGV[1]  usageKey                  ARGV[2]  units
-- Returns one of
--   { 'given_back', consumed }   the units consumed after it
--   { 'too_many', consumed }     fewer are consumed
--   { 'merged' }                 the member was merged
--- @include "clock"
--- @include "counters"
--- @include "vouchers"
--- @include "give-back"

if redis.call('HEXISTS', KEYS[1], '!moved') == 1 then
  return { 'merged' }
end
local units, consumed = tonumber(ARGV[2]), consumed_units(KEYS[1], ARGV[1])
if consumed < units then
  return { 'too_many', consumed }
end
give_back(KEYS[1], ARGV[1], units)
book_voucher_use(KEYS[2], ARGV[1], now_ms(), -units)
return { 'given_back', consumed - units }
