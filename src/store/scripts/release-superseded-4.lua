#!lua
-- Releases a superseded calculation whose member is not its successor's. Safe to repeat.
--   KEYS[1]  calc   KEYS[2]  hold   KEYS[3]  held   KEYS[4]  holds-due
--   ARGV[1]  calculationId             ARGV[2]  calculationId of the successor
--   ARGV[3]  venueId of the successor  ARGV[4]  retention (ms)
-- Returns { hold was released 0|1, calculation is committed 0|1, its uses of limits over all members or '' }. The hold stays
-- unless the successor may release it.
--- @include "clock"
--- @include "holds"
--- @include "supersede"

local committed = is_committed(KEYS[1]) and 1 or 0
if not may_supersede(KEYS[1], ARGV[3]) then
  return { 0, committed, '' }
end
local released, common = supersede(KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[1], ARGV[2], ARGV[4])
return { released, committed, common }
