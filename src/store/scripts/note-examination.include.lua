--- @include "clock"
-- Notes when a calculation is looked at for expiry: `look` milliseconds from now. One that is noted for an earlier time keeps it,
-- because a release may wait for it; only until its call is over, `over` milliseconds from now, is the look put off.
local function note_examination(examinations_key, now, look, over, calculation_id)
  local is_noted_first = redis.call('ZADD', examinations_key, 'LT', integer(now + tonumber(look)), calculation_id) == 1
  if not is_noted_first then
    redis.call('ZADD', examinations_key, 'GT', integer(now + tonumber(over)), calculation_id)
  end
end
