--- @include "clock"
--- @include "instant"
-- Appends an event of the books (src/store/events.ts), a JSON object under one field, and removes what is older than the retention. The
-- instant at which it was booked, which is now unless it is given, and facts that the script alone knows are added to the object. Nothing is
-- appended where there is no event, '', or no stream. Returns whether it was appended.
local function append_event(events_key, retention_ms, now, event, facts, booked_ms)
  if not events_key or event == '' then
    return false
  end
  local oldest = integer(math.max(0, now - tonumber(retention_ms)))
  local told = string.sub(event, 1, -2) .. ',"at":"' .. instant(booked_ms or now) .. '"' .. (facts or '') .. '}'
  redis.call('XADD', events_key, 'MINID', '~', oldest, '*', 'event', told)
  return true
end
