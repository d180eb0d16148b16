#!lua
-- Releases a superseded calculation of another member than its successor's. Doing it twice changes nothing more.
--   KEYS[1]  calc   KEYS[2]  hold
--   ARGV[1]  calculationId             ARGV[2]  calculationId of the successor
--   ARGV[3]  venueId of the successor  ARGV[4]  retention (ms)
-- Returns { 1 when its hold was released, 0 when it had none or was not the successor's to release; 1 when it is committed }.
--- @include "supersede"

local committed = is_committed(KEYS[1]) and 1 or 0
if not may_supersede(KEYS[1], ARGV[3]) then
  return { 0, committed }
end
return { supersede(KEYS[1], KEYS[2], ARGV[1], ARGV[2], ARGV[4]), committed }
