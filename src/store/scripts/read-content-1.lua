#!lua flags=no-writes
-- Reads what a key of a member or a calculation has.
--   KEYS[1]  owned
--   ARGV[1]  kind
-- Returns { lifetimeMs, words } (contents)
--- @include "contents"

return read_content(KEYS[1], ARGV[1])
