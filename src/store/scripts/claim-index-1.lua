#!lua
-- Writes a calculation's index entry: `member fingerprint deadline tail`. The member is `-` in a tombstone, which claims
-- nothing; the deadline is the instant of this node's clock by which the claiming call has committed or given up.
--   KEYS[1]  index
--   ARGV[1]  member                    ARGV[2]  fingerprint
--   ARGV[3]  milliseconds left of the call (0 for a tombstone)
--   ARGV[4]  tail                      ARGV[5]  retention (ms)
--   ARGV[6]  the entry that the caller has seen and judged replaceable, or ''
--   ARGV[7]  instant of this node's clock (ms) after which nothing is written, or '' for none
--   ARGV[8]  the longest that a call lasts (ms)
-- Returns { 1, tail } when the entry is the caller's: it was missing, replaceable, or the same member's already (which of
-- one member's bodies wins is the commit's to say). { 0, present entry, 1 when its deadline has passed } when it is not.
-- { -1 } when nothing was there and it is too late to write.
--- @include "clock"

local now = now_ms()
local deadline = ARGV[3] == '0' and 0 or now + math.ceil(tonumber(ARGV[3]))
local fingerprint, tail = ARGV[2], ARGV[4]

local present = redis.call('GET', KEYS[1])
if present and present ~= ARGV[6] then
  local member, print, ends, rest = string.match(present, '^(%S+) (%S+) (%d+) (.*)$')
  if member ~= ARGV[1] or member == '-' then
    -- A deadline that no call can have was written before the clock was set back, and is as good as past.
    local is_past = tonumber(ends) < now or tonumber(ends) > now + tonumber(ARGV[8])
    return { 0, present, is_past and 1 or 0 }
  end
  fingerprint, tail, deadline = print, rest, math.max(deadline, tonumber(ends))
end
if ARGV[7] ~= '' and now > tonumber(ARGV[7]) then
  return { -1 }
end
redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. fingerprint .. ' ' .. integer(deadline) .. ' ' .. tail, 'PX', ARGV[5])
return { 1, tail }
