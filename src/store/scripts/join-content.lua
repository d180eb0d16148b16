#!lua
-- Adds what a key of a merged member has to that of the member that it is merged into, which keeps its own. Safe to repeat.
--- @include "contents"
--- @declared "owned-keys"

write_content(owned_key, kind, lifetime_ms, words, 1, #words)
