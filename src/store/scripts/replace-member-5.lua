#!lua
-- Replaces a member while the stored one is as the caller read it, and is led on to nobody; with the events of its grants. A moved clock
-- (move-clock) stays.
--   KEYS[1]  member   KEYS[2]  use   KEYS[3]  vouchers
--   KEYS[4]  grantsDue   KEYS[5]  events: of the member; on a cluster keys that nothing has
--   ARGV[1]  retentionMs
--   ARGV[2]  read: the member as it was read: number of words, field, value, …
--   ARGV     written: the new one, in the same form
--   ARGV     due: when its grants end (grants.include.lua): number of words, name, instant, …
--   ARGV     told: what became of its grants: event, counter, name, end, …
-- Returns isReplaced: 1 when it was, 0 when another one is stored, or one that is merged
--- @include "clock"
--- @include "instant"
--- @include "event"
--- @include "grants"
--- @include "words"
--- @include "vouchers"
--- @include "member-fields"
local member_key, use_key, vouchers_key, grants_due_key, events_key = unpack(KEYS)

local values, count, kept = member_fields(member_key)
local expected = tonumber(ARGV[2])
if kept.into or not has_fields(values, count, 3, expected) then
  return 0
end
local written, after_written = counted_words(3 + expected)
local due, after_due = counted_words(after_written)
local now = now_ms()
replace_member(member_key, vouchers_key, written, kept, add_counted({}, values.vouchers))
note_grants(grants_due_key, due)
tell_grants(events_key, grants_due_key, use_key, ARGV[1], now, { unpack(ARGV, after_due) })
return 1
