#!lua
-- Writes a calculation's index entry: `member fingerprint deadline tail`. In a tombstone the member is `-`. The
-- deadline is the instant of this node's clock by which the claiming call has committed or given up.
--   KEYS[1]  index
--   ARGV[1]  member                    ARGV[2]  fingerprint
--   ARGV[3]  milliseconds left of the call (0 for a tombstone)
--   ARGV[4]  tail                      ARGV[5]  retention (ms)
--   ARGV[6]  the entry that the caller has read and found replaceable, or ''
--   ARGV[7]  instant of this node's clock (ms) after which the write is refused, or '' for none
--   ARGV[8]  the longest that a call lasts (ms)
-- Returns one of
--   { 1, tail }                        the entry is the caller's: it was missing, replaceable, or already the same
--                                      member's (the commit decides which of one member's bodies wins)
--   { 0, present entry, deadline has passed 0|1 }
--                                      another entry stays
--   { -1 }                             the entry may be written, but it is too late
--- @include "clock"

local now = now_ms()
local deadline = ARGV[3] == '0' and 0 or now + math.ceil(tonumber(ARGV[3]))
local fingerprint, tail = ARGV[2], ARGV[4]

local present = redis.call('GET', KEYS[1])
if present and present ~= ARGV[6] then
  local member, print, ends, rest = string.match(present, '^(%S+) (%S+) (%d+) (.*)$')
  if member ~= ARGV[1] or member == '-' then
    -- A deadline further ahead than any call lasts was written before the clock was set back; it counts as past.
    local is_past = tonumber(ends) < now or tonumber(ends) > now + tonumber(ARGV[8])
    return { 0, present, is_past and 1 or 0 }
  end
  fingerprint, tail, deadline = print, rest, math.max(deadline, tonumber(ends))
end
if ARGV[7] ~= '' and now > tonumber(ARGV[7]) then
  return { -1 }
end
-- The entry of a sold calculation is kept for longer than others.
local kept = present and math.max(redis.call('PTTL', KEYS[1]), tonumber(ARGV[5])) or tonumber(ARGV[5])
redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. fingerprint .. ' ' .. integer(deadline) .. ' ' .. tail, 'PX', integer(kept))
return { 1, tail }
