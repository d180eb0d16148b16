#!lua
-- Gives a member the grants and the counters of one that is merged into it, once, and while it is as the caller read it.
--   KEYS[1]  member   KEYS[2]  use   KEYS[3]  merged   KEYS[4]  vouchers
--   ARGV[1]  from: the merged member   ARGV[2]  loyaltyId: its ID as JSON
--   ARGV[3]  lifetimeMs: how long its counters are kept, -1 for without end, 0 for none
--   ARGV[4]  grants: the counted grants of the merged member as JSON, or ''
--   ARGV[5]  read: the member as it was read: number of words, field, value, …
--   ARGV     written: the member to write, in the same form
--   ARGV     booked: the book of the merged member's grants, in the same form
--   ARGV     counters: usage, units, …
-- Returns 1 when it was done, 2 when it had been done before, 0 when another member is stored
--- @include "clock"
--- @include "vouchers"
--- @include "member-fields"
local member_key, use_key, merged_key, vouchers_key = unpack(KEYS)

if redis.call('HEXISTS', merged_key, ARGV[1]) == 1 then
  return 2
end
local values, count, kept = member_fields(member_key)
local expected = tonumber(ARGV[5])
local first = 7 + expected
local written = tonumber(ARGV[first - 1])
if kept.into or not has_fields(values, count, 6, expected) then
  return 0
end
local first_booked = first + written + 1
local booked = tonumber(ARGV[first_booked - 1])
for at = first_booked, first_booked + booked - 1, 2 do
  local name, words = ARGV[at], ARGV[at + 1]
  local own = redis.call('HGET', vouchers_key, name)
  if string.sub(name, 1, 1) == '!' then
    redis.call('HSETNX', vouchers_key, name, words)
  else
    redis.call('HSET', vouchers_key, name, own and own .. ' ' .. words or words)
  end
end
local before = add_counted(add_counted({}, values.vouchers), ARGV[4])
replace_member(member_key, vouchers_key, { unpack(ARGV, first, first + written - 1) }, kept, before)
local lifetime = redis.call('PTTL', use_key)
for at = first_booked + booked, #ARGV, 2 do
  local usage, units = ARGV[at], tonumber(ARGV[at + 1])
  if string.sub(usage, -4) == '!end' then
    units = math.max(units, tonumber(redis.call('HGET', use_key, usage) or 0))
    redis.call('HSET', use_key, usage, string.format('%.0f', units))
  else
    redis.call('HINCRBY', use_key, usage, string.format('%.0f', units))
  end
end
local added = tonumber(ARGV[3])
if added == -1 then
  redis.call('PERSIST', use_key)
elseif added > 0 and lifetime ~= -1 and added > lifetime then
  redis.call('PEXPIRE', use_key, added)
end
redis.call('HSET', merged_key, ARGV[1], ARGV[2])
return 1
