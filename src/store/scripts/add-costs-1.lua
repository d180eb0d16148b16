#!lua
-- Adds what a process has counted since its last report to the sums of a day. A report that comes again, because its reply
-- was lost, adds nothing.
--   KEYS[1]  costs
--   ARGV[1]  the process, as a field   ARGV[2]  number of its report, rising
--   ARGV[3]  instant at which the day is forgotten (ms)
--   ARGV[4]  … field, amount, field, amount
-- Returns 1 when it was added, 0 when it had been added before.
if tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or 0) >= tonumber(ARGV[2]) then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
for at = 4, #ARGV, 2 do
  redis.call('HINCRBY', KEYS[1], ARGV[at], ARGV[at + 1])
end
redis.call('PEXPIREAT', KEYS[1], ARGV[3])
return 1
