#!lua
-- Notes in the record of a sale what it took past a limit over all members.
--- @declared "common-limits"

-- The record may be gone by now.
if redis.call('HGET', calculation_key, 'state') == 'sold' then
  redis.call('HINCRBY', calculation_key, 'over', over_redeemed)
end
