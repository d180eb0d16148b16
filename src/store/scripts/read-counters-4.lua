#!lua flags=no-writes
-- Reads some counters of a member that has too many to be read whole.
--   KEYS[1]  use   KEYS[2]  hold   KEYS[3]  held   KEYS[4]  holdsDue
--   ARGV[1]  … usageKeys: at most 4,000
-- Returns { consumed, held }: of each, or nil
--- @include "clock"
--- @include "holds"
--- @include "snapshot"
local use_key, hold_key, held_key, holds_due_key = unpack(KEYS)

local held, now = {}, now_ms()
if has_few(hold_key) then
  held = {}
elseif redis.call('HLEN', held_key) > MOST_READ and is_counted(hold_key, held_key, holds_due_key) and #due_holds(holds_due_key, now) == 0 then
  held = redis.call('HMGET', held_key, unpack(ARGV))
else
  local sums = read_held(hold_key, held_key, holds_due_key, now)
  for i, usage in ipairs(ARGV) do
    held[i] = sums[usage] and integer(sums[usage]) or false
  end
end
return { redis.call('HMGET', use_key, unpack(ARGV)), held }
