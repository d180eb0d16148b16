#!lua
-- Removes an index entry of a member. An entry that another member has taken over stays.
--- @declared "index-entries"

local present = redis.call('GET', index_key)
if present and string.match(present, '^(%S+) ') ~= member then
  return false
end
redis.call('DEL', index_key)
return true
