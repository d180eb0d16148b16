#!lua
-- Replaces a member while the stored one is as the caller read it, and is led on to nobody; with the events of its grants. A moved clock
-- (move-clock) stays.
--- @include "clock"
--- @include "grants"
--- @include "member-fields"
--- @include "vouchers"
--- @declared "members"

local values, count, kept = member_fields(member_key)
if kept.into or not has_fields(values, count, read) then
  return false
end
replace_member(member_key, vouchers_key, written, kept, add_counted({}, values.vouchers))
note_grants(grants_due_key, due)
tell_grants(events_key, grants_due_key, use_key, retention_ms, now_ms(), told)
return true
