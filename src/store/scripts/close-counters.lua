#!lua
-- Closes the counters of a member that is led on to another one: no sale consumes there any more. A member who was erased or led
-- elsewhere meanwhile keeps them as they are.
--- @declared "merges"

if redis.call('HGET', member_key, 'into') ~= into_id then
  return false
end
redis.call('HSET', use_key, '!moved', into)
-- The mark is to last. The ends of the counters stand in their names and in `!end`.
redis.call('PERSIST', use_key)
return true
