#!lua
-- Writes a tombstone into the index entry of a calculation, for a member that may take the ID over. A sale event's
-- tombstone replaces a successor's; otherwise the first one stays.
--- @include "clock"
--- @include "event"
--- @declared "index-entries"

local owner, claim, present = string.match(redis.call('GET', index_key) or '', '^(%S+) (%S+ %d+) (.*)$')
if owner ~= member then
  return false
end
local is_sale = string.sub(tail, 1, 5) == 'sale:'
if present == '-' or (is_sale and string.sub(present, 1, 5) ~= 'sale:') then
  local kept = math.max(redis.call('PTTL', index_key), tonumber(retention_ms))
  redis.call('SET', index_key, member .. ' ' .. claim .. ' ' .. tail, 'PX', integer(kept))
  append_event(events_key, retention_ms, now_ms(), event)
end
return true
