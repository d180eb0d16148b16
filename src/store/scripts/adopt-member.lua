#!lua
-- Gives a member the grants and the counters of one that is merged into it, once, and while it is as the caller read it; with the event
-- of the merge.
--- @include "clock"
--- @include "event"
--- @include "grants"
--- @include "member-fields"
--- @include "vouchers"
--- @declared "merges"

if redis.call('HEXISTS', merged_key, from) == 1 then
  return 'adopted_before'
end
local values, count, kept = member_fields(member_key)
if kept.into or not has_fields(values, count, read) then
  return 'changed'
end
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
for at = 1, #counters, 2 do
  local usage, units = counters[at], tonumber(counters[at + 1])
  if string.sub(usage, -4) == '!end' then
    units = math.max(units, tonumber(redis.call('HGET', use_key, usage) or 0))
    redis.call('HSET', use_key, usage, integer(units))
  else
    redis.call('HINCRBY', use_key, usage, integer(units))
  end
end
local added = tonumber(lifetime_ms)
if added == -1 then
  redis.call('PERSIST', use_key)
elseif added > 0 and lifetime ~= -1 and added > lifetime then
  redis.call('PEXPIRE', use_key, added)
end
redis.call('HSET', merged_key, from, loyalty_id)
return 'adopted'
