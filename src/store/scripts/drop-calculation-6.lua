#!lua
-- Removes a calculation that stands in the slot of another member by now.
--   KEYS[1]  calculation   KEYS[2]  answer   KEYS[3]  returns   KEYS[4]  hold   KEYS[5]  held   KEYS[6]  holdsDue
--   ARGV[1]  calculationId
-- Returns how many keys were removed.
--- @include "clock"
--- @include "holds"

drop_holds(KEYS[4], KEYS[5], KEYS[6], { ARGV[1] })
return redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
