#!lua
-- Closes the counters of a member that is led on to another one: no sale consumes there any more. A member who was erased or led
-- elsewhere meanwhile keeps them as they are.
--   KEYS[1]  member   KEYS[2]  use
--   ARGV[1]  intoId: the loyalty ID that it is led on to, as JSON       ARGV[2]  into: that member
-- Returns isClosed: 1 when they are, 0 when the member is not led on there
if redis.call('HGET', KEYS[1], 'into') ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[2], '!moved', ARGV[2])
-- The mark is to last. The ends of the counters stand in their names and in `!end`.
redis.call('PERSIST', KEYS[2])
return 1
