#!lua
-- Moves the clock of a test member, or sets it right.
--- @include "clock"
--- @declared "members"

if moved_ms == '0' then
  redis.call('HDEL', member_key, 'clock')
else
  redis.call('HSET', member_key, 'clock', moved_ms .. ' ' .. integer(now_ms() + tonumber(lasts_ms)))
end
