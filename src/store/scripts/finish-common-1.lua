#!lua
-- Notes in a calculation's record that its holds in counters of all members have ended.
--   KEYS[1]  calc
--   ARGV[1]  the ending that is done, `consume` or `release`
--   ARGV[2]  over-redeemed units
-- Returns 1 when this call has noted it.
if redis.call('HGET', KEYS[1], 'commonDue') ~= ARGV[1] then
  return 0
end
redis.call('HDEL', KEYS[1], 'commonDue')
if tonumber(ARGV[2]) > 0 then
  redis.call('HINCRBY', KEYS[1], 'over', ARGV[2])
end
return 1
