#!lua
-- Writes a calculation's index entry: `member - instant tail`. In a tombstone the member is `-`. The
-- instant, of this node's clock, is when the claiming call has committed or given up; commit-calculation writes the one of its commit.
--- @include "clock"
--- @include "event"
--- @declared "index-entries"

local now = now_ms()
local call_ends = left_ms == '0' and 0 or now + math.ceil(tonumber(left_ms))
local own_tail = tail

local present = redis.call('GET', index_key)
if present and present ~= replaceable then
  local other, ends, rest = string.match(present, '^(%S+) %S+ (%d+) (.*)$')
  if other ~= member or other == '-' then
    -- A deadline further ahead than any call lasts was written before the clock was set back; it counts as past.
    local is_past = tonumber(ends) < now or tonumber(ends) > now + tonumber(longest_ms)
    return reply({ outcome = 'present', entry = present, is_past = is_past })
  end
  own_tail, call_ends = rest, math.max(call_ends, tonumber(ends))
end
if deadline_ms ~= '' and now > tonumber(deadline_ms) then
  return reply({ outcome = 'too_late' })
end
-- The entry of a sold calculation is kept for longer than others.
local kept = present and math.max(redis.call('PTTL', index_key), tonumber(retention_ms)) or tonumber(retention_ms)
redis.call('SET', index_key, member .. ' - ' .. integer(call_ends) .. ' ' .. own_tail, 'PX', integer(kept))
append_event(events_key, retention_ms, now, event)
return reply({ outcome = 'written', tail = own_tail })
