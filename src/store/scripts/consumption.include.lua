-- Consumption of a member, the hash `use`: units under the usage key, units past the limit under the key and `!over`. A
-- field ends with its period and the retention. One that is written when its period is over, by a late sale or a till whose
-- clock is wrong, is kept for the retention from then on: its end stands under the key and `!end`, in ms.

-- Books units and says how many are consumed then.
local function consume(use_key, usage, units, now, retention_ms)
  local lifetime_ms = redis.call('PTTL', use_key)
  local consumed = redis.call('HINCRBY', use_key, usage, units)
  local ends = usage_end_ms(usage, retention_ms)
  if ends and ends < now + retention_ms then
    ends = now + retention_ms
    redis.call('HSET', use_key, usage .. '!end', integer(ends))
  end
  -- -1: it is kept for good, because of a lifetime or because a version wrote it that knew no ends. -2: it is new.
  if not ends then
    redis.call('PERSIST', use_key)
  elseif lifetime_ms ~= -1 and ends > now + lifetime_ms then
    redis.call('PEXPIREAT', use_key, integer(ends))
  end
  return consumed
end

-- Looks at a few fields, drawn at random, and removes those that have ended: some for each that the sale has written, so that
-- the hash does not grow, and so few that a member with thousands costs no more than one with ten.
local LOOKED_AT_FOR_EACH = 4

local function drop_ended(use_key, written, now, retention_ms)
  for _, usage in ipairs(redis.call('HRANDFIELD', use_key, LOOKED_AT_FOR_EACH * written)) do
    local ends = usage_end_ms(usage, retention_ms)
    if not ends and not string.find(usage, '!', 1, true) then
      -- A version that knew no ends may have written a lifetime into a hash that ends.
      redis.call('PERSIST', use_key)
    elseif ends and ends <= now and tonumber(redis.call('HGET', use_key, usage .. '!end') or 0) <= now then
      redis.call('HDEL', use_key, usage, usage .. '!over', usage .. '!end')
    end
  end
end
