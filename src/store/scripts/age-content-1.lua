#!lua
-- Lets a key of a member end sooner.
--   KEYS[1]  owned
--   ARGV[1]  byMs
-- Returns leftMs: the milliseconds left; below 0 for a key that is not there, or has no end
--- @include "clock"
--- @include "age"

return age_key(KEYS[1], tonumber(ARGV[1]), 0)
