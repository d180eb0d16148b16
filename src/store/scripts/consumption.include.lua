--- @include "clock"
--- @include "periods"
-- Consumption of a member, the hash `use`: units under the usage key, units past the limit under the key with `!over`.
-- A field is kept until its period and the retention have ended. A late sale, or a till with a wrong clock, may write a
-- field whose period is over. That field is kept for the retention from the write on, and its end is stored under the
-- key with `!end`, in ms.

-- A till whose clock is years ahead names a period that ends in years. By Redis' clock a field lives no longer than the longest
-- period, a year, that begins within a year.
local FARTHEST_MS = 731.5 * 86400000

-- Books units and returns how many are consumed after that.
local function consume(use_key, usage, units, now, retention_ms)
  local lifetime_ms = redis.call('PTTL', use_key)
  local consumed = redis.call('HINCRBY', use_key, usage, units)
  local named = usage_end_ms(usage, retention_ms)
  local ends = named and math.min(math.max(named, now + retention_ms), now + FARTHEST_MS + retention_ms)
  if ends ~= named then
    redis.call('HSET', use_key, usage .. '!end', integer(ends))
  end
  -- -1: the hash is kept without an end, because of a lifetime. -2: it is new.
  if not ends then
    redis.call('PERSIST', use_key)
  elseif lifetime_ms ~= -1 and ends > now + lifetime_ms then
    redis.call('PEXPIREAT', use_key, integer(ends))
  end
  return consumed
end

-- Examines a few random fields and removes those that have ended: several for each field that the sale has written, so
-- that the hash stays small, and so few that a member with thousands of fields costs no more than one with ten.
local LOOKED_AT_FOR_EACH = 4

local function drop_ended(use_key, written, now, retention_ms)
  for _, usage in ipairs(redis.call('HRANDFIELD', use_key, LOOKED_AT_FOR_EACH * written)) do
    local ends = usage_end_ms(usage, retention_ms)
    if ends and tonumber(redis.call('HGET', use_key, usage .. '!end') or ends) <= now then
      redis.call('HDEL', use_key, usage, usage .. '!over', usage .. '!end', usage .. '!since')
    end
  end
end
