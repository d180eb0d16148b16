#!lua
-- Notes in a calculation's record that its holds in counters of all members have ended.
--   KEYS[1]  calculation
--   ARGV[1]  ending: the one that is done, `consume`, `release` or `give_back`
-- Returns isNoted: 1 when this call has noted it
if redis.call('HGET', KEYS[1], 'commonDue') ~= ARGV[1] then
  return 0
end
redis.call('HDEL', KEYS[1], 'commonDue')
return 1
