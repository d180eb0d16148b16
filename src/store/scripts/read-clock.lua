#!lua flags=no-writes
-- Reads the clock of the node with a slot: a deadline must be an instant of the clock that judges it.
--- @include "clock"
--- @declared "environment"

return now_ms()
