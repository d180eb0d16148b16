#!lua flags=no-writes
-- Reads the clock of the node that a slot lives on: a deadline has to be an instant of the clock that judges it.
--   KEYS[1]  any key of the slot
-- Returns now in ms.
--- @include "clock"

return now_ms()
