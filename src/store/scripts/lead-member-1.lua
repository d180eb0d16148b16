#!lua
-- Leads calls of a stored member on to another one.
--   KEYS[1]  member
--   ARGV[1]  into: the loyalty ID that it is led on to, as JSON
-- Returns 1 when it was marked, 0 when it had been marked before, -1 when there is no such member
if redis.call('HEXISTS', KEYS[1], 'into') == 1 then
  return 0
end
if redis.call('HEXISTS', KEYS[1], 'status') == 0 then
  return -1
end
redis.call('HSET', KEYS[1], 'into', ARGV[1])
return 1
