#!lua
-- Writes a calculation's index entry: `member fingerprint deadline tail`. In a tombstone the member is `-`. The
-- deadline is the instant of this node's clock by which the claiming call has committed or given up.
--   KEYS[1]  index   KEYS[2]  events: of the calculation; on a cluster a key that is not written
--   ARGV[1]  member                    ARGV[2]  fingerprint
--   ARGV[3]  leftMs: of the call (0 for a tombstone)
--   ARGV[4]  tail                      ARGV[5]  retentionMs
--   ARGV[6]  replaceable: the entry that the caller has read and found replaceable, or ''
--   ARGV[7]  deadlineMs: instant of this node's clock after which the write is refused, or '' for none
--   ARGV[8]  longestMs: the longest that a call lasts
--   ARGV[9]  event: what a tombstone tells (event.include.lua), or '' for none
-- Returns one of
--   { 'written', tail }                the entry is the caller's: it was missing, replaceable, or already the same
--                                      member's (the commit decides which of one member's bodies wins)
--   { 'present', entry, isPast 0|1 }   another entry stays; isPast: its deadline has passed
--   { 'too_late' }                     the entry may be written, but it is too late
--- @include "clock"
--- @include "instant"
--- @include "event"
local index_key, events_key = unpack(KEYS)
local member, fingerprint, left_ms, tail, retention_ms, replaceable, deadline_ms, longest_ms, event = unpack(ARGV)

local now = now_ms()
local call_ends = left_ms == '0' and 0 or now + math.ceil(tonumber(left_ms))
local own_print, own_tail = fingerprint, tail

local present = redis.call('GET', index_key)
if present and present ~= replaceable then
  local other, print, ends, rest = string.match(present, '^(%S+) (%S+) (%d+) (.*)$')
  if other ~= member or other == '-' then
    -- A deadline further ahead than any call lasts was written before the clock was set back; it counts as past.
    local is_past = tonumber(ends) < now or tonumber(ends) > now + tonumber(longest_ms)
    return { 'present', present, is_past and 1 or 0 }
  end
  own_print, own_tail, call_ends = print, rest, math.max(call_ends, tonumber(ends))
end
if deadline_ms ~= '' and now > tonumber(deadline_ms) then
  return { 'too_late' }
end
-- The entry of a sold calculation is kept for longer than others.
local kept = present and math.max(redis.call('PTTL', index_key), tonumber(retention_ms)) or tonumber(retention_ms)
redis.call('SET', index_key, member .. ' ' .. own_print .. ' ' .. integer(call_ends) .. ' ' .. own_tail, 'PX', integer(kept))
append_event(events_key, retention_ms, now, event)
return { 'written', own_tail }
