#!lua
-- Gives a member the grants and the counters of one that is merged into it, once, and while it is as the caller read it; with the event
-- of the merge.
--   KEYS[1]  member   KEYS[2]  use   KEYS[3]  merged   KEYS[4]  vouchers
--   KEYS[5]  grantsDue   KEYS[6]  events: of the merged member; on a cluster keys that nothing has
--   ARGV[1]  from: the merged member   ARGV[2]  loyaltyId: its ID as JSON
--   ARGV[3]  lifetimeMs: how long its counters are kept, -1 for without end, 0 for none
--   ARGV[4]  grants: the counted grants of the merged member as JSON, or ''
--   ARGV[5]  event (event.include.lua), or '' where the caller appends it
--   ARGV[6]  retentionMs
--   ARGV[7]  read: the member as it was read: number of words, field, value, …
--   ARGV     written: the member to write, in the same form
--   ARGV     due: when the grants of both end (grants.include.lua): number of words, name, instant, …
--   ARGV     booked: the book of the merged member's grants (vouchers.include.lua), in the same form: name, words, …
--   ARGV     counters: usage, units, …
-- Returns 1 when it was done, 2 when it had been done before, 0 when another member is stored
--- @include "clock"
--- @include "instant"
--- @include "event"
--- @include "grants"
--- @include "words"
--- @include "vouchers"
--- @include "member-fields"
local member_key, use_key, merged_key, vouchers_key, grants_due_key, events_key = unpack(KEYS)
local from, loyalty_id, lifetime_ms, grants, event, retention_ms = unpack(ARGV, 1, 6)

if redis.call('HEXISTS', merged_key, from) == 1 then
  return 2
end
local values, count, kept = member_fields(member_key)
local expected = tonumber(ARGV[7])
if kept.into or not has_fields(values, count, 8, expected) then
  return 0
end
local written, after_written = counted_words(8 + expected)
local due, after_due = counted_words(after_written)
local booked, after_booked = counted_words(after_due)
for at = 1, #booked, 2 do
  local name, words = booked[at], booked[at + 1]
  local own = redis.call('HGET', vouchers_key, name)
  if string.sub(name, 1, 1) == '!' then
    redis.call('HSETNX', vouchers_key, name, words)
  else
    redis.call('HSET', vouchers_key, name, own and own .. ' ' .. words or words)
  end
end
replace_member(member_key, vouchers_key, written, kept, add_counted(add_counted({}, values.vouchers), grants))
note_grants(grants_due_key, due)
append_event(events_key, retention_ms, now_ms(), event)
local lifetime = redis.call('PTTL', use_key)
for at = after_booked, #ARGV, 2 do
  local usage, units = ARGV[at], tonumber(ARGV[at + 1])
  if string.sub(usage, -4) == '!end' then
    units = math.max(units, tonumber(redis.call('HGET', use_key, usage) or 0))
    redis.call('HSET', use_key, usage, string.format('%.0f', units))
  else
    redis.call('HINCRBY', use_key, usage, string.format('%.0f', units))
  end
end
local added = tonumber(lifetime_ms)
if added == -1 then
  redis.call('PERSIST', use_key)
elseif added > 0 and lifetime ~= -1 and added > lifetime then
  redis.call('PEXPIRE', use_key, added)
end
redis.call('HSET', merged_key, from, loyalty_id)
return 1
