#!lua
-- Lets a key of a member end sooner.
--- @include "age"
--- @declared "owned-keys"

age_key(owned_key, tonumber(by_ms), 0)
