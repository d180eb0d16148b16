#!lua
-- Books the outcome of a calculation: consumes or releases its hold. Its event is appended in the same step.
--   KEYS[1]  calculation   KEYS[2]  hold   KEYS[3]  use   KEYS[4]  answer   KEYS[5]  held   KEYS[6]  holdsDue
--   KEYS[7]  vouchers   KEYS[8]  events: of the calculation; on a cluster a key that nothing has
--   KEYS[9]  … others: keys of the calculation that are kept as its record is (owned-keys.ts)
--   ARGV[1]  calculationId
--   ARGV[2]  outcome: the event's own fields as one text
--   ARGV[3]  consumes: 1 when the sale consumes the held units
--   ARGV[4]  deadlineMs: instant of this node's clock after which the sale is refused
--   ARGV[5]  retentionMs               ARGV[6]  keptMs: how long the calculation is kept now, for returns
--   ARGV[7]  event: of this outcome (event.include.lua), or '' where the caller appends it
--   ARGV[8]  answeredRead: when the calculation was answered, as the event was made from it, or ''
--   ARGV[9]  saleRead: the outcome that it was sold with, as the event was made from it, or ''
-- Returns one of
--   { 'recorded', isLate 0|1, overRedeemed, uses, answered, venueId, due, isClaimable 0|1, given, answeredAtMs, turnover,
--     tier, share, reason, common, ending, bookedAtMs }
--   { 'duplicate', isLate, overRedeemed, uses, answered, venueId, due, isClaimable, given, answeredAtMs, turnover, tier, share,
--     reason, common, ending, bookedAtMs }
--       overRedeemed: units past the limits; answered: status of the answer; due: `event` when the event is still to be appended and the sale
--       to be counted, `count` when the event is there, or '';
--       isClaimable: the calculation has no answer, so it may be priced anew, for another member too; given: what benefits gave;
--       answeredAtMs: '' when the sale came before the answer; turnover: total of the answer; tier, share: of the member; reason: of
--       an unchanged answer; common: uses of limits over all members; ending: how these are still to end, `consume`, `release`,
--       `give_back` or ''; bookedAtMs: when the sale was booked
--   { 'conflict', isTold 0|1, isNew 0|1, venueId, given, answeredAtMs, turnover, tier, share, bookedAtMs }  the first outcome stands;
--       isTold: the event of the conflict is there; isNew: this is the first event that says otherwise, whose outcome is kept for a person to
--       decide
--   { 'too_late' }
--   { 'changed' }    the calculation is not as the event was made from it: read it again
--   { 'moved', into }  the member was merged into this one: move the calculation there first
--   { 'unknown' }    a tombstone stands: a later commit of the calculation takes no hold
--- @include "clock"
--- @include "instant"
--- @include "event"
--- @include "holds"
--- @include "periods"
--- @include "counters"
--- @include "consumption"
--- @include "booking"
--- @include "pieces"
--- @include "sold"
--- @include "vouchers"

local calculation_key, hold_key, use_key, answer_key, held_key, holds_due_key, vouchers_key, events_key = unpack(KEYS)
local calculation_id, outcome, consumes, deadline_ms, retention_ms, kept_ms, event, answered_read, sale_read = unpack(ARGV)

local moved = redis.call('HGET', use_key, '!moved')
if moved then
  return { 'moved', moved }
end
local now = now_ms()
local calc = redis.call('HMGET', calculation_key, 'state', 'sale', 'fp', 'deadline', 'holds', 'late', 'over', 'event', 'status', 'venue', 'at', 'soldAt', 'total', 'tier', 'share', 'reason', 'common', 'commonDue')
local state, sale, committed, deadline, holds = calc[1], calc[2], calc[3], calc[4], calc[5] or ''
local answered = tonumber(calc[12] or 0) >= tonumber(calc[11] or 0) and calc[11] or ''
local total, tier, share, reason = calc[13] or '', calc[14] or '', calc[15] or '', calc[16] or ''
local claimable = 1 - redis.call('EXISTS', answer_key)

if sale == outcome then
  if not committed then
    return { 'unknown' }
  end
  local due = calc[8] == '2' and 'count' or calc[8] and 'event' or ''
  return { 'duplicate', tonumber(calc[6] or 0), tonumber(calc[7] or 0), holds, calc[9], calc[10], due, claimable, pieces_of(calculation_key, 'g'), answered, total, tier, share, reason, calc[17] or '', calc[18] or '', calc[12] or '' }
end
if committed and ((calc[11] or '') ~= answered_read or (sale or '') ~= sale_read) then
  return { 'changed' }
end
if now > tonumber(deadline_ms) then
  return { 'too_late' }
end
if sale then
  -- Only the first event that says otherwise is told. `untold` stands until the caller has appended it.
  redis.call('HINCRBY', calculation_key, 'conflicts', 1)
  local new = redis.call('HSETNX', calculation_key, 'second', outcome)
  local is_owed = new == 1 or redis.call('HEXISTS', calculation_key, 'untold') == 1
  local is_told = (not is_owed or append_event(events_key, retention_ms, now, event)) and 1 or 0
  if is_told == 0 then
    redis.call('HSET', calculation_key, 'untold', 1)
  end
  if new == 1 and consumes == '1' and calc[9] == 'applied' and redis.call('HEXISTS', calculation_key, 'a0') == 0 then
    -- Should a person decide for it, goods of it can come back long after the answer is forgotten.
    keep_answer(calculation_key, answer_key)
  end
  return { 'conflict', is_told, new, calc[10] or '', pieces_of(calculation_key, 'g'), answered, total, tier, share, integer(now) }
end

-- Everything is decided; from here on only writes.
redis.call('HSET', calculation_key, 'state', 'sold', 'sale', outcome, 'soldAt', integer(now))
redis.call('PEXPIRE', calculation_key, committed and kept_ms or retention_ms)
for number = 9, #KEYS do
  redis.call('PEXPIRE', KEYS[number], committed and kept_ms or retention_ms)
end
if not committed then
  return { 'unknown' }
end
if consumes == '1' and calc[9] == 'applied' then
  keep_answer(calculation_key, answer_key)
end

-- The hold itself must still exist: a script may have removed it while the clock was ahead, and its units may be taken.
local covered = state == 'open' and tonumber(deadline) > now
if covered and holds ~= '' then
  covered = is_live(redis.call('HGET', hold_key, calculation_id), now)
end
local late = covered and 0 or 1
local over = 0
drop_holds(hold_key, held_key, holds_due_key, { calculation_id })
if consumes == '1' and holds ~= '' then
  local held_units = late == 1 and end_due_holds(hold_key, held_key, holds_due_key, now)
  over = book_uses(use_key, holds, held_units, now, tonumber(retention_ms))
  each_use(holds, function(usage, units)
    book_voucher_use(vouchers_key, usage, now, units)
  end)
end
local ending = calc[17] and (consumes == '1' and 'consume' or 'release') or ''
if ending ~= '' then
  redis.call('HSET', calculation_key, 'commonDue', ending)
end
local facts = ',"late":' .. (late == 1 and 'true' or 'false') .. ',"overRedeemed":' .. integer(over)
-- Units past a limit over all members are known only when its counter has been told, so such an event is appended after it.
local is_told = not calc[17] and append_event(events_key, retention_ms, now, event, facts)
-- Until the sale is counted; where 2 stands its event is appended.
redis.call('HSET', calculation_key, 'event', is_told and 2 or 1)
if late == 1 then
  redis.call('HSET', calculation_key, 'late', 1, 'over', over)
end
return { 'recorded', late, over, holds, calc[9], calc[10], is_told and 'count' or 'event', claimable, pieces_of(calculation_key, 'g'), calc[11] or '', total, tier, share, reason, calc[17] or '', ending, integer(now) }
