#!lua
-- Gives a member the grants and the counters of one that is merged into it, once, and while it is as the caller read it.
--   KEYS[1]  member   KEYS[2]  use   KEYS[3]  merged
--   ARGV[1]  the merged member         ARGV[2]  its loyalty ID as JSON
--   ARGV[3]  ms that its counters are kept, -1 for without end, 0 for none
--   ARGV[4]  number of the arguments that follow of the member as it was read
--   ARGV[5]  number of those of the member to write; then both, then the counters: usage, units, …
-- Returns 1 when it was done, 2 when it had been done before, 0 when another member is stored.
--- @include "member-fields"

if redis.call('HEXISTS', KEYS[3], ARGV[1]) == 1 then
  return 2
end
local values, count, kept = member_fields(KEYS[1])
local expected, written = tonumber(ARGV[4]), tonumber(ARGV[5])
if kept.into or not has_fields(values, count, 6, expected) then
  return 0
end
replace_member(KEYS[1], { unpack(ARGV, 6 + expected, 5 + expected + written) }, kept)
local lifetime = redis.call('PTTL', KEYS[2])
for at = 6 + expected + written, #ARGV, 2 do
  local usage, units = ARGV[at], tonumber(ARGV[at + 1])
  if string.sub(usage, -4) == '!end' then
    units = math.max(units, tonumber(redis.call('HGET', KEYS[2], usage) or 0))
    redis.call('HSET', KEYS[2], usage, string.format('%.0f', units))
  else
    redis.call('HINCRBY', KEYS[2], usage, string.format('%.0f', units))
  end
end
local added = tonumber(ARGV[3])
if added == -1 then
  redis.call('PERSIST', KEYS[2])
elseif added > 0 and lifetime ~= -1 and added > lifetime then
  redis.call('PEXPIRE', KEYS[2], added)
end
redis.call('HSET', KEYS[3], ARGV[1], ARGV[2])
return 1
