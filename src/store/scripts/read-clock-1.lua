#!lua flags=no-writes
-- Reads the clock of the node with a slot: a deadline must be an instant of the clock that judges it.
--   KEYS[1]  any key of the slot
-- Returns nowMs
--- @include "clock"

return now_ms()
