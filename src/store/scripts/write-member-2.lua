#!lua
-- Writes a member, replacing the stored one. An equal member is left untouched, so that a nightly import of all members
-- costs the append-only file and the replicas only the changes. A moved clock (move-clock) and the mark of a merge stay.
--   KEYS[1]  member   KEYS[2]  vouchers
--   ARGV[1]  … fields: field, value, …
-- Returns changes: 1 when something changed, 0 when not
--- @include "clock"
--- @include "vouchers"
--- @include "member-fields"

local values, count, kept = member_fields(KEYS[1])
if has_fields(values, count, 1, #ARGV) then
  return 0
end
replace_member(KEYS[1], KEYS[2], ARGV, kept, add_counted({}, values.vouchers))
return 1
