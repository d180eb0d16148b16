-- A bucket of tokens (GCRA: the theoretical arrival time of the next call is all it stores). `interval` is microseconds
-- per token, `burst` the tokens that this kind of call may use, `capacity` those of the bucket, `now` microseconds. Takes
-- up to `wanted` tokens. Returns how many it took, and the microseconds until the next one is there. A refused call takes
-- nothing.
local function take_tokens(key, now, interval, burst, capacity, wanted)
  local latest = now + capacity * interval
  local arrival = math.max(now, tonumber(redis.call('GET', key) or now))
  local lifetime = math.ceil(capacity * interval / 1000) + 1000

  -- An arrival further ahead than that of an empty bucket means that the clock was set back. The bucket then counts as
  -- empty, and is stored so even when calls are refused; otherwise it would stay empty until the clock has caught up.
  local was_ahead = arrival > latest
  if was_ahead then
    arrival = latest
  end

  local granted = math.max(0, math.min(wanted, math.floor((now + burst * interval - arrival) / interval)))
  arrival = arrival + granted * interval
  if granted > 0 or was_ahead then
    redis.call('SET', key, string.format('%.0f', arrival), 'PX', lifetime)
  end
  return granted, math.max(0, math.ceil(arrival + interval - burst * interval - now))
end
