#!lua
-- Replaces a member while the stored one is as the caller read it, and is led on to nobody. A moved clock (move-clock) stays.
--   KEYS[1]  member   KEYS[2]  vouchers
--   ARGV[1]  read: the member as it was read: number of words, field, value, …
--   ARGV     written: the new one: field, value, …
-- Returns isReplaced: 1 when it was, 0 when another one is stored, or one that is merged
--- @include "clock"
--- @include "vouchers"
--- @include "member-fields"

local values, count, kept = member_fields(KEYS[1])
local expected = tonumber(ARGV[1])
if kept.into or not has_fields(values, count, 2, expected) then
  return 0
end
replace_member(KEYS[1], KEYS[2], { unpack(ARGV, expected + 2) }, kept, add_counted({}, values.vouchers))
return 1
