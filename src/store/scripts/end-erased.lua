#!lua
-- Ends a calculation that nobody finds any more, if it is still open: what it holds in counters of all members is then to be given back.
--- @declared "members"

local state, common = unpack(redis.call('HMGET', calculation_key, 'state', 'common'))
if state ~= 'open' then
  return
end
redis.call('HSET', calculation_key, 'state', 'expired')
if common then
  redis.call('HSET', calculation_key, 'commonDue', 'release')
end
