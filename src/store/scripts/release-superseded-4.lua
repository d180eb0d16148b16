#!lua
-- Releases a superseded calculation whose member is not its successor's. Safe to repeat.
--   KEYS[1]  calculation   KEYS[2]  hold   KEYS[3]  held   KEYS[4]  holdsDue
--   ARGV[1]  calculationId             ARGV[2]  successorId: its calculationId
--   ARGV[3]  venueId: of the successor ARGV[4]  retentionMs
-- Returns { holdsReleased 0|1, isCommitted 0|1, common }; common: its uses of limits over all members that are still to be given back, or
-- ''. The hold stays unless the successor may release it.
--- @include "clock"
--- @include "holds"
--- @include "supersede"
local calculation_key, hold_key, held_key, holds_due_key = unpack(KEYS)
local calculation_id, successor_id, venue_id, retention_ms = unpack(ARGV)

local committed = is_committed(calculation_key) and 1 or 0
local released = 0
if may_supersede(calculation_key, venue_id) then
  released = supersede(calculation_key, hold_key, held_key, holds_due_key, calculation_id, successor_id, retention_ms)
end
-- Also what an earlier try, or the commit of its successor, has left.
local common = redis.call('HMGET', calculation_key, 'common', 'commonDue')
return { released, committed, common[2] == 'release' and common[1] or '' }
