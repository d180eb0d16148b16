#!lua
-- Notes that a grant has ended, with its event, or when it is to be looked at again; unless it was changed since it was found.
--   KEYS[1]  grantsDue   KEYS[2]  events: of the member; on a cluster a key that is not written
--   ARGV[1]  name: `member grantId`   ARGV[2]  endsMs: its end, as it was found
--   ARGV[3]  laterMs: when it ends instead, or ''
--   ARGV[4]  event (event.include.lua), or '' for none
--   ARGV[5]  retentionMs
-- Returns isEnded: 1 when it was noted, 0 when it was changed
--- @include "clock"
--- @include "instant"
--- @include "event"
local grants_due_key, events_key = unpack(KEYS)
local name, ends_ms, later_ms, event, retention_ms = unpack(ARGV)

local noted = redis.call('ZSCORE', grants_due_key, name)
if not noted or tonumber(noted) ~= tonumber(ends_ms) then
  return 0
end
if later_ms ~= '' then
  redis.call('ZADD', grants_due_key, later_ms, name)
else
  redis.call('ZREM', grants_due_key, name)
  append_event(events_key, retention_ms, now_ms(), event)
end
return 1
