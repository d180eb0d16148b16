--- @include "clock"
--- @include "holds"
-- Counters of limits over all members, each in a slot of its own. A hold is made before the member's commit and stands in
-- `unconfirmed` until its calculation is known to be committed, with the instant at which the call that made it is over.
-- `settled` has what was consumed or given back, so that a repeated step changes nothing.
local MOST_OVERDUE = 16

local function overdue(unconfirmed_key, now)
  return redis.call('ZRANGEBYSCORE', unconfirmed_key, '-inf', integer(now), 'LIMIT', 0, MOST_OVERDUE)
end

-- Marks a step as done. Returns false where it was done before.
local function settle_once(settled_key, step, now, retention_ms)
  if redis.call('ZADD', settled_key, 'NX', integer(now + retention_ms), step) == 0 then
    return false
  end
  -- Marks of returns are kept longer than those of sales.
  redis.call('PEXPIRE', settled_key, retention_ms, 'NX')
  redis.call('PEXPIRE', settled_key, retention_ms, 'GT')
  local ended = redis.call('ZRANGEBYSCORE', settled_key, '-inf', integer(now), 'LIMIT', 0, MOST_ENDED)
  if #ended > 0 then
    redis.call('ZREM', settled_key, unpack(ended))
  end
  return true
end
