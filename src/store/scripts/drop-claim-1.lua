#!lua
-- Takes a claim back, unless anybody has built on its index entry: each of them changes its text.
--   KEYS[1]  index
--   ARGV[1]  the entry as it was written
-- Returns 1 when it was removed, 0 when not.
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
