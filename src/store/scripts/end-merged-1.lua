#!lua
-- Forgets all of a merged member but the member that it was merged into.
--   KEYS[1]  member
-- Returns isEnded: 1, or 0 when it is not led on to anybody: it was erased meanwhile
local into = redis.call('HGET', KEYS[1], 'into')
if not into then
  return 0
end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'into', into)
return 1
