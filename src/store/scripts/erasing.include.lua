-- Marks that an erasure is under way: 1 while its event is still to be appended, 2 once that is there. An erasure that was interrupted
-- leaves the mark, by which the next one knows it; should there be none, it ends by itself.
local function mark_erasure(erasing_key, retention_ms, is_told)
  local mark = is_told and '2' or '1'
  redis.call('SET', erasing_key, mark, 'PX', retention_ms)
  return mark
end
