--- @include "clock"
--- @include "vouchers"
-- The fields of a stored member, their number, and apart from them those that no writer of members knows: its moved clock, and
-- the member that it was merged into.
local OWN_FIELDS = { 'clock', 'into' }

local function member_fields(member_key)
  local stored = redis.call('HGETALL', member_key)
  local values, count, kept = {}, 0, {}
  for index = 1, #stored, 2 do
    values[stored[index]] = stored[index + 1]
    count = count + 1
  end
  for _, name in ipairs(OWN_FIELDS) do
    if values[name] then
      kept[name], values[name], count = values[name], nil, count - 1
    end
  end
  return values, count, kept
end

-- True for a member whose fields are these: field, value, …
local function has_fields(values, count, fields)
  if count ~= #fields / 2 then
    return false
  end
  for at = 1, #fields, 2 do
    if values[fields[at]] ~= fields[at + 1] then
      return false
    end
  end
  return true
end

-- Writes the fields, and books what they give and take of counted grants. `before` are those that there were (vouchers).
local function replace_member(member_key, vouchers_key, fields, kept, before)
  local named = {}
  for at = 1, #fields, 2 do
    named[fields[at]] = fields[at + 1]
  end
  book_grants(vouchers_key, named.programmeId, before, add_counted({}, named.vouchers), now_ms())
  redis.call('DEL', member_key)
  redis.call('HSET', member_key, unpack(fields))
  for name, value in pairs(kept) do
    redis.call('HSET', member_key, name, value)
  end
end
