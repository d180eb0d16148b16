#!lua flags=no-writes
-- Reads all that is stored of a calculation, to move it to the member that its own one was merged into.
--   KEYS[1]  calculation   KEYS[2]  answer   KEYS[3]  returns   KEYS[4]  hold
--   ARGV[1]  calculationId
-- Returns { fields, answer, fields of the returns, hold, ms that each of the first three is kept } ('' for what is not there), or
-- an empty list when nothing is stored.
local fields = redis.call('HGETALL', KEYS[1])
local answer = redis.call('GET', KEYS[2])
if #fields == 0 and not answer then
  return {}
end
local hold = redis.call('HGET', KEYS[4], ARGV[1])
local lifetimes = { redis.call('PTTL', KEYS[1]), redis.call('PTTL', KEYS[2]), redis.call('PTTL', KEYS[3]) }
return { fields, answer or '', redis.call('HGETALL', KEYS[3]), hold or '', lifetimes }
