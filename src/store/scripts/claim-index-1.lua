#!lua
-- Writes a calculation's index entry if there is none, or if it still is the one the caller has seen and judged.
--   KEYS[1]  index
--   ARGV[1]  head of the entry         ARGV[2]  milliseconds left of the call, or '' for an entry that claims nothing
--   ARGV[3]  tail of the entry         ARGV[4]  retention in milliseconds
--   ARGV[5]  the entry to replace, or ''
-- The entry written is `head deadline tail`, its deadline an instant of this node's clock.
-- Returns { 1 } when written, { 0, present entry, 1 when the present entry's deadline has passed } when not.
--- @include "clock"

local now = now_ms()
local present = redis.call('GET', KEYS[1])
if present and present ~= ARGV[5] then
  local deadline = string.match(present, '^%S+ %S+ (%d+)')
  return { 0, present, tonumber(deadline) < now and 1 or 0 }
end
local deadline = ARGV[2] == '' and 0 or now + math.ceil(tonumber(ARGV[2]))
redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. integer(deadline) .. ' ' .. ARGV[3], 'PX', ARGV[4])
return { 1 }
