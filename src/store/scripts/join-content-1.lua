#!lua
-- Adds what a key of a merged member has to that of the member that it is merged into, which keeps its own. Safe to repeat.
--   KEYS[1]  owned
--   ARGV[1]  kind                      ARGV[2]  lifetimeMs
--   ARGV[3]  … words
-- Returns written: how many of the words are new
--- @include "contents"

return write_content(KEYS[1], ARGV[1], ARGV[2], 3, #ARGV)
