#!lua
-- Lets the index entry of a member's calculation end sooner.
--- @include "age"
--- @declared "index-entries"

local present = redis.call('GET', index_key)
if present and string.match(present, '^(%S+) ') == member then
  age_key(index_key, tonumber(by_ms), tonumber(least_ms))
end
