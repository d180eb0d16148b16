#!lua
-- Takes a merge back of which the other member has nothing yet: calls of the member are its own again, and sales consume in its counters.
--   KEYS[1]  member   KEYS[2]  use
--   ARGV[1]  intoId: the loyalty ID that it is led on to, as JSON
-- Returns isReopened: 1 when it was taken back, 0 when the member is not led on there
if redis.call('HGET', KEYS[1], 'into') ~= ARGV[1] then
  return 0
end
redis.call('HDEL', KEYS[1], 'into')
redis.call('HDEL', KEYS[2], '!moved')
return 1
