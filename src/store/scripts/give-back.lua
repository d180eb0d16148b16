#!lua
-- Gives units of a counter back by hand.
--- @include "clock"
--- @include "counters"
--- @include "give-back"
--- @include "vouchers"
--- @declared "members"

if redis.call('HEXISTS', use_key, '!moved') == 1 then
  return reply({ outcome = 'merged' })
end
local units, consumed = tonumber(units), consumed_units(use_key, usage_key)
if consumed < units then
  return reply({ outcome = 'too_many', consumed = consumed })
end
give_back(use_key, usage_key, units)
book_voucher_use(vouchers_key, usage_key, now_ms(), -units)
return reply({ outcome = 'given_back', consumed = consumed - units })
