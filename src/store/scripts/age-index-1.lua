#!lua
-- Lets the index entry of a member's calculation end sooner.
--   KEYS[1]  index
--   ARGV[1]  member                    ARGV[2]  byMs
--   ARGV[3]  leastMs: the least that is left of its time
-- Returns leftMs; below 0 when the entry is another member's or missing
--- @include "clock"
--- @include "age"

local present = redis.call('GET', KEYS[1])
if not present or string.match(present, '^(%S+) ') ~= ARGV[1] then
  return -2
end
return age_key(KEYS[1], tonumber(ARGV[2]), tonumber(ARGV[3]))
