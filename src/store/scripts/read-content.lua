#!lua flags=no-writes
-- Reads what a key of a member or a calculation has.
--- @include "contents"
--- @declared "owned-keys"

return read_content(owned_key, kind)
