#!lua
-- Notes in the record of a sale what it took past a limit over all members.
--   KEYS[1]  calculation
--   ARGV[1]  overRedeemed: units
-- Returns isNoted: 1 when they were noted, 0 when the record is no longer there
if redis.call('HGET', KEYS[1], 'state') ~= 'sold' then
  return 0
end
redis.call('HINCRBY', KEYS[1], 'over', ARGV[1])
return 1
