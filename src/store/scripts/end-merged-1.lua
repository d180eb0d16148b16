#!lua
-- Forgets all of a merged member but the member that it was merged into.
--   KEYS[1]  member
-- Returns 1.
local into = redis.call('HGET', KEYS[1], 'into')
if into then
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'into', into)
end
return 1
