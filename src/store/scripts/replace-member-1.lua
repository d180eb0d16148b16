#!lua
-- Replaces a member while the stored one is as the caller read it, and is led on to nobody. A moved clock (move-clock) stays.
--   KEYS[1]  member
--   ARGV[1]  number of the arguments that follow of the member as it was read
--   ARGV     field, value, … of that member, then field, value, … of the new one
-- Returns 1 when the member was replaced, 0 when another one is stored, or one that is merged.
--- @include "member-fields"

local values, count, kept = member_fields(KEYS[1])
local expected = tonumber(ARGV[1])
if kept.into or not has_fields(values, count, 2, expected) then
  return 0
end
replace_member(KEYS[1], { unpack(ARGV, expected + 2) }, kept)
return 1
