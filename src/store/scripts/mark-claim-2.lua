#!lua
-- Writes a tombstone into the index entry of a calculation, for a member that may take the ID over. A sale event's
-- tombstone replaces a successor's; otherwise the first one stays.
--   KEYS[1]  index   KEYS[2]  events: of the calculation; on a cluster a key that is not written
--   ARGV[1]  member: of the entry      ARGV[2]  tail: the tombstone
--   ARGV[3]  retentionMs              ARGV[4]  event: what the tombstone tells (event.include.lua), or '' for none
-- Returns isMarked: 1 when the entry is that member's and has a tombstone now, 0 when the entry is another member's or missing
--- @include "clock"
--- @include "instant"
--- @include "event"

local present = redis.call('GET', KEYS[1]) or ''
local member, claim, tail = string.match(present, '^(%S+) (%S+ %d+) (.*)$')
if member ~= ARGV[1] then
  return 0
end
local is_sale = string.sub(ARGV[2], 1, 5) == 'sale:'
if tail == '-' or (is_sale and string.sub(tail, 1, 5) ~= 'sale:') then
  local kept = math.max(redis.call('PTTL', KEYS[1]), tonumber(ARGV[3]))
  redis.call('SET', KEYS[1], member .. ' ' .. claim .. ' ' .. ARGV[2], 'PX', integer(kept))
  append_event(KEYS[2], ARGV[3], now_ms(), ARGV[4])
end
return 1
