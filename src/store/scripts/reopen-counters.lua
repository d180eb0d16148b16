#!lua
-- Takes a merge back of which the other member has nothing yet: calls of the member are its own again, and sales consume in its counters.
--- @declared "merges"

if redis.call('HGET', member_key, 'into') ~= into_id then
  return false
end
redis.call('HDEL', member_key, 'into')
redis.call('HDEL', use_key, '!moved')
return true
