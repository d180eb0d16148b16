#!lua
-- Moves the clock of a test member, or sets it right.
--   KEYS[1]  member
--   ARGV[1]  movedMs: by which its clock is ahead, below 0 when it is behind; 0 sets it right
--   ARGV[2]  lastsMs: after which it is right again
-- Returns isMoved: 1 when it was moved, 0 when it was set right
--- @include "clock"

if ARGV[1] == '0' then
  redis.call('HDEL', KEYS[1], 'clock')
  return 0
end
redis.call('HSET', KEYS[1], 'clock', ARGV[1] .. ' ' .. integer(now_ms() + tonumber(ARGV[2])))
return 1
