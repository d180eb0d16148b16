--- @include "holds"
-- True when the superseding calculation's venue may release this one: unsold, and either of the same venue or never
-- committed.
local function may_supersede(calculation_key, venue)
  local fields = redis.call('HMGET', calculation_key, 'state', 'venue')
  return not fields[1] or (fields[1] == 'open' and fields[2] == venue)
end

local function is_committed(calculation_key)
  return redis.call('HEXISTS', calculation_key, 'fp') == 1
end

-- Marks a calculation as superseded and releases its hold. A calculation that was never committed gets the mark alone,
-- so that its commit, if it still comes, takes no hold. Returns 1 when a hold was released, 0 when there was none, and its uses
-- of limits over all members, whose counters are still to be released, or ''.
local function supersede(calculation_key, hold_key, held_key, due_key, calculation_id, successor_id, retention_ms)
  redis.call('HSET', calculation_key, 'state', 'superseded', 'supersededBy', successor_id)
  redis.call('PEXPIRE', calculation_key, retention_ms)
  local common = redis.call('HGET', calculation_key, 'common')
  if common then
    redis.call('HSET', calculation_key, 'commonDue', 'release')
  end
  return drop_holds(hold_key, held_key, due_key, { calculation_id }), common or ''
end
