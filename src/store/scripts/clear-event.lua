#!lua
-- Notes that the event of a sale is appended, and gives the sale to the caller to count. In the slot of a merged member it does nothing,
-- because the calculation may be copied already, with the mark.
--- @declared "sales"

if redis.call('HEXISTS', use_key, '!moved') == 1 or redis.call('HDEL', calculation_key, 'event') == 0 then
  return false
end
if claimant ~= '' then
  redis.call('HSET', calculation_key, 'countedBy', claimant)
end
return true
