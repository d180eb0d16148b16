--- @include "clock"
-- Live holds of a member: the hash `hold` has each calculation's `deadlineMs uses`. Of a member with more than a few of them the
-- hash `held` has the units per usage key of all, and the sorted set `holds-due` their IDs by deadline, so that a call costs
-- the same with a hundred holds and with ten thousand. Where the numbers disagree, the sums are counted anew.
local FEW_HOLDS = 32

-- Holds that one script ends. More of them that are due at once wait for the next call, or for the sweep, and count as held
-- until then, which gives nothing twice.
local MOST_ENDED = 500

-- A list of uses is text: `usageKey=units/limit`, separated by blanks. Calls visit(usageKey, units, limit) for each.
local function each_use(text, visit)
  for usage, units, limit in string.gmatch(text, '(%S+)=(%d+)/(%d+)') do
    visit(usage, tonumber(units), tonumber(limit))
  end
end

-- True for a present hold, `deadlineMs uses`, that has not ended.
local function is_live(hold, now)
  return hold and tonumber(string.match(hold, '^%d+')) > now
end

-- Adds the units of a hold to sums, or with a sign of -1 takes them away.
local function add_units(sums, hold, sign)
  each_use(hold and string.match(hold, '^%d+ (.*)$') or '', function(usage, units)
    sums[usage] = (sums[usage] or 0) + sign * units
  end)
end

local function change_held(held_key, sums)
  for usage, units in pairs(sums) do
    if units ~= 0 and redis.call('HINCRBY', held_key, usage, units) <= 0 then
      redis.call('HDEL', held_key, usage)
    end
  end
end

-- Whether the sums stand beside the holds; a few holds need none.
local function has_sums(hold_key, held_key, due_key)
  return redis.call('HLEN', hold_key) == redis.call('ZCARD', due_key) and redis.call('EXISTS', held_key) == 1
end

local function has_few(hold_key)
  return redis.call('HLEN', hold_key) <= FEW_HOLDS
end

-- Removes holds, at most 1,000 at once. A script that treats a hold as ended must remove it: the clock may be set back, and
-- the hold would count again. Returns how many there were.
local function drop_holds(hold_key, held_key, due_key, calculation_ids)
  if #calculation_ids == 0 then
    return 0
  end
  local sums, is_summed = {}, redis.call('EXISTS', due_key) == 1
  for _, hold in ipairs(is_summed and redis.call('HMGET', hold_key, unpack(calculation_ids)) or {}) do
    add_units(sums, hold, -1)
  end
  local dropped = redis.call('HDEL', hold_key, unpack(calculation_ids))
  if is_summed then
    change_held(held_key, sums)
    -- Where the numbers disagree the sums are wrong, and are counted anew.
    if redis.call('ZREM', due_key, unpack(calculation_ids)) ~= dropped or has_few(hold_key) then
      redis.call('DEL', held_key, due_key)
    end
  end
  return dropped
end

local function due_holds(due_key, now)
  return redis.call('ZRANGEBYSCORE', due_key, '-inf', integer(now), 'LIMIT', 0, MOST_ENDED)
end

-- Units per usage key of the live holds, read from the holds themselves; visits each, and whether it is live.
local function count_holds(hold_key, now, visit)
  local sums, entries = {}, redis.call('HGETALL', hold_key)
  for i = 1, #entries, 2 do
    local live = is_live(entries[i + 1], now)
    if live then
      add_units(sums, entries[i + 1], 1)
    end
    visit(entries[i], entries[i + 1], live)
  end
  return sums
end

-- Counts the sums anew from the holds.
local function sum_holds(hold_key, held_key, due_key, now)
  redis.call('DEL', held_key, due_key)
  local sums = count_holds(hold_key, now, function(id, hold, live)
    if live then
      redis.call('ZADD', due_key, string.match(hold, '^%d+'), id)
    else
      redis.call('HDEL', hold_key, id)
    end
  end)
  change_held(held_key, sums)
  local lifetime = redis.call('PTTL', hold_key)
  if lifetime > 0 then
    redis.call('PEXPIRE', held_key, lifetime)
    redis.call('PEXPIRE', due_key, lifetime)
  end
end

-- Ends the holds that are due. Returns a function that tells the units held under a usage key.
local function end_due_holds(hold_key, held_key, due_key, now)
  if has_few(hold_key) then
    local ended = {}
    local sums = count_holds(hold_key, now, function(id, _, live)
      ended[#ended + 1] = not live and id or nil
    end)
    drop_holds(hold_key, held_key, due_key, ended)
    return function(usage)
      return sums[usage] or 0
    end
  end
  if has_sums(hold_key, held_key, due_key) then
    drop_holds(hold_key, held_key, due_key, due_holds(due_key, now))
  end
  if not has_sums(hold_key, held_key, due_key) then
    sum_holds(hold_key, held_key, due_key, now)
  end
  return function(usage)
    return tonumber(redis.call('HGET', held_key, usage) or 0)
  end
end

-- Writes a hold of a calculation that has none.
local function put_hold(hold_key, held_key, due_key, calculation_id, deadline, uses, hold_ms, now)
  local hold, sums = deadline .. ' ' .. uses, {}
  local had_sums = has_sums(hold_key, held_key, due_key)
  redis.call('HSET', hold_key, calculation_id, hold)
  redis.call('PEXPIRE', hold_key, hold_ms, 'NX')
  redis.call('PEXPIRE', hold_key, hold_ms, 'GT')
  if has_few(hold_key) then
    return
  end
  if not had_sums then
    sum_holds(hold_key, held_key, due_key, now)
    return
  end
  redis.call('ZADD', due_key, deadline, calculation_id)
  add_units(sums, hold, 1)
  change_held(held_key, sums)
  redis.call('PEXPIRE', held_key, hold_ms, 'GT')
  redis.call('PEXPIRE', due_key, hold_ms, 'GT')
end
