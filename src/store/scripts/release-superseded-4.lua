#!lua
-- Releases a superseded calculation whose member is not its successor's. Safe to repeat.
--   KEYS[1]  calculation   KEYS[2]  hold   KEYS[3]  held   KEYS[4]  holdsDue
--   ARGV[1]  calculationId             ARGV[2]  calculationId of the successor
--   ARGV[3]  venueId of the successor  ARGV[4]  retention (ms)
-- Returns { hold was released 0|1, calculation is committed 0|1, its uses of limits over all members that are still to be given
-- back, or '' }. The hold stays unless the successor may release it.
--- @include "clock"
--- @include "holds"
--- @include "supersede"

local committed = is_committed(KEYS[1]) and 1 or 0
local released = 0
if may_supersede(KEYS[1], ARGV[3]) then
  released = supersede(KEYS[1], KEYS[2], KEYS[3], KEYS[4], ARGV[1], ARGV[2], ARGV[4])
end
-- Also what an earlier try, or the commit of its successor, has left.
local common = redis.call('HMGET', KEYS[1], 'common', 'commonDue')
return { released, committed, common[2] == 'release' and common[1] or '' }
