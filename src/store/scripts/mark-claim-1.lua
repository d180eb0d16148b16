#!lua
-- Writes a tombstone into the index entry of a calculation, for a member that may take the ID over. A sale event's
-- tombstone replaces a successor's; otherwise the first one stays.
--   KEYS[1]  index
--   ARGV[1]  member: of the entry      ARGV[2]  tail: the tombstone
--   ARGV[3]  retentionMs
-- Returns isMarked: 1 when the entry is that member's and has a tombstone now, 0 when the entry is another member's or missing
local present = redis.call('GET', KEYS[1]) or ''
local member, claim, tail = string.match(present, '^(%S+) (%S+ %d+) (.*)$')
if member ~= ARGV[1] then
  return 0
end
local is_sale = string.sub(ARGV[2], 1, 5) == 'sale:'
if tail == '-' or (is_sale and string.sub(tail, 1, 5) ~= 'sale:') then
  local kept = math.max(redis.call('PTTL', KEYS[1]), tonumber(ARGV[3]))
  redis.call('SET', KEYS[1], member .. ' ' .. claim .. ' ' .. ARGV[2], 'PX', string.format('%.0f', kept))
end
return 1
