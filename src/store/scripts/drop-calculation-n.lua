#!lua
-- Removes a calculation that stands in the slot of another member by now.
--   KEYS[1]  hold   KEYS[2]  held   KEYS[3]  holdsDue
--   KEYS[4]  calculation   KEYS[5]  answer   KEYS[6]  … others: its other keys (owned-keys.ts)
--   ARGV[1]  calculationId
-- Returns removed: how many keys
--- @include "clock"
--- @include "holds"

drop_holds(KEYS[1], KEYS[2], KEYS[3], { ARGV[1] })
return redis.call('DEL', unpack(KEYS, 4))
