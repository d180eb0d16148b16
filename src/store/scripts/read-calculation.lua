#!lua flags=no-writes
-- Reads all that is stored of a calculation, to move it to the member that its own one was merged into.
--- @include "contents"
--- @declared "owned-keys"

if redis.call('EXISTS', calculation_key, answer_key) == 0 then
  return reply({})
end
local contents = {}
for at, key in ipairs({ calculation_key, answer_key, unpack(others) }) do
  contents[at] = read_content(key, kinds[at])
end
return reply({ hold = redis.call('HGET', hold_key, calculation_id), contents = contents })
