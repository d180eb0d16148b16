#!lua
-- Notes when calculations are looked at for expiry, by Redis' clock.
--   KEYS[1]  due
--   ARGV[1]  lookMs: milliseconds from now
--   ARGV[2]  callOverMs: milliseconds from now at which their calls are over, or '' to move only those that are noted already
--   ARGV[3]  … calculationIds
-- Returns nothing of use.
--- @include "clock"
--- @include "note-due"

local now = now_ms()
for at = 3, #ARGV do
  if ARGV[2] == '' then
    redis.call('ZADD', KEYS[1], 'XX', integer(now + tonumber(ARGV[1])), ARGV[at])
  else
    note_due(KEYS[1], now, ARGV[1], ARGV[2], ARGV[at])
  end
end
return 0
