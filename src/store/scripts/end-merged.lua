#!lua
-- Forgets all of a merged member but the member that it was merged into.
--- @declared "merges"

local into = redis.call('HGET', member_key, 'into')
if not into then
  return false
end
redis.call('DEL', member_key)
redis.call('HSET', member_key, 'into', into)
return true
