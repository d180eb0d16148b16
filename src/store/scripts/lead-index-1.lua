#!lua
-- Leads an index entry of a merged member to the member that it was merged into. An entry of anybody else stays.
--   KEYS[1]  index
--   ARGV[1]  from: the merged member   ARGV[2]  into: the member that it was merged into
-- Returns isLed: 1 when it was changed, 0 when not
local present = redis.call('GET', KEYS[1])
local member, rest = string.match(present or '', '^(%S+)( .*)$')
if member ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[1], ARGV[2] .. rest, 'KEEPTTL')
return 1
