#!lua flags=no-writes
-- Reads some counters of a member that has too many to be read whole.
--   KEYS[1]  use   KEYS[2]  hold   KEYS[3]  held   KEYS[4]  holdsDue
--   ARGV     usage keys, at most 4,000
-- Returns { consumption of each or nil, units held of each or nil }.
--- @include "clock"
--- @include "holds"
--- @include "snapshot"

local held, now = {}, now_ms()
if has_few(KEYS[2]) then
  held = {}
elseif redis.call('HLEN', KEYS[3]) > MOST_READ and is_counted(KEYS[2], KEYS[3], KEYS[4]) and #due_holds(KEYS[4], now) == 0 then
  held = redis.call('HMGET', KEYS[3], unpack(ARGV))
else
  local sums = read_held(KEYS[2], KEYS[3], KEYS[4], now)
  for i, usage in ipairs(ARGV) do
    held[i] = sums[usage] and integer(sums[usage]) or false
  end
end
return { redis.call('HMGET', KEYS[1], unpack(ARGV)), held }
