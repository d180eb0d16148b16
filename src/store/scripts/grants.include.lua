--- @include "clock"
--- @include "event"
-- When grants end, in a sorted set of all members: `member grantId` by the instant. `due` has pairs of such a name and an instant, which is
-- '' for a grant that has no end any more.
local function note_grants(grants_due_key, due)
  for at = 1, grants_due_key and #due or 0, 2 do
    if due[at + 1] == '' then
      redis.call('ZREM', grants_due_key, due[at])
    else
      redis.call('ZADD', grants_due_key, due[at + 1], due[at])
    end
  end
end

-- Appends what became of grants: `told` has for each an event, the counter of its uses or '', and of one that was taken its name and its
-- end in the sorted set, or '' and ''. One that had ended before is not told once more.
local function tell_grants(events_key, grants_due_key, use_key, retention_ms, now, told)
  for at = 1, #told, 4 do
    local event, counter, name, ends = unpack(told, at, at + 3)
    local was_noted = grants_due_key and name ~= '' and redis.call('ZREM', grants_due_key, name) == 1
    if was_noted or ends == '' or tonumber(ends) > now then
      local used = counter ~= '' and ',"used":' .. integer(tonumber(redis.call('HGET', use_key, counter) or 0)) or ''
      append_event(events_key, retention_ms, now, event, used)
    end
  end
end
