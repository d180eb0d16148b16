#!lua
-- Notes in a calculation's record that its holds in counters of all members have ended.
--- @declared "common-limits"

if redis.call('HGET', calculation_key, 'commonDue') ~= ending then
  return false
end
redis.call('HDEL', calculation_key, 'commonDue')
return true
