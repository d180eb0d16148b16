#!lua
-- Claims a calculation ID and notes it for expiry, stores its answer, takes its hold and releases the calculation it supersedes, all
-- at once or not at all: the only write of a basket call. On a cluster the claim and the note are in other slots and come just before
-- (claim-index, note-due).
--   KEYS[1]  calculation   KEYS[2]  answer   KEYS[3]  hold   KEYS[4]  use
--   KEYS[5]  superseded: the calculation of the same member that it supersedes, or a key that nothing has
--   KEYS[6]  held   KEYS[7]  holdsDue
--   KEYS[8]  index   KEYS[9]  due: of the calculation; on a cluster keys that nothing has
--   ARGV[1]  calculationId             ARGV[2]  fingerprint
--   ARGV[3]  deadlineMs: of the call   ARGV[4]  holdMs
--   ARGV[5]  idempotencyMs             ARGV[6]  retentionMs
--   ARGV[7]  storedForm: the answer as it is stored
--   ARGV[8]  venueId
--   ARGV[9]  uses: `usageKey=units/limit …`, or ''
--   ARGV[10] supersededHere: the superseded calculationId of the same member, or ''
--   ARGV[11] supersededElsewhere: the one that is still to be released elsewhere, or ''
--   ARGV[12] saleBefore: the outcome of the sale event that came before this call, or ''
--   ARGV[13] successorBefore: the calculationId of the successor that came before this call, or ''
--   ARGV[14] status: of the answer     ARGV[15] total: of the answer, or ''
--   ARGV[16] kept: what is kept of the basket, or '' (kept-baskets.ts)
--   ARGV[17] tier: of the member, or ''
--   ARGV[18] share: the shares that the member is in, or ''
--   ARGV[19] reason: of an unchanged answer, or ''
--   ARGV[20] common: uses of limits over all members, which hold them already: `counter/usageKey=units/limit …`, or ''
--   ARGV[21] isLent: 1 when these units are there only if this commit ends the superseded calculation
--   ARGV[22] member: of the calculation
--   ARGV[23] entryRead: the index entry as it was read, '' where there was none, or 'claimed' where the ID is claimed already
--   ARGV[24] lookMs: milliseconds from now at which the calculation is looked at for expiry
--   ARGV[25] callOverMs: milliseconds from now at which its call is over
--   ARGV[26] … given: what benefits give, a field each (given.ts)
-- Returns one of
--   { 'committed', holdsMade 0|1, holdsReleased 0|1, pendingRelease, givenBack, holdsCommon 0|1 }
--       pendingRelease: the calculationId that is still to be released, or ''; givenBack: uses of limits over all members that a
--       superseded calculation of the same member has to give back, or ''; holdsCommon: 1 when its own uses of such limits hold
--   { 'replay', stored, pendingRelease }
--   { 'conflict' }                     { 'too_late' }
--   { 'changed' }                      the index entry is another one, or the member was merged: both must be read again
--   { 'not_lent' }                     the superseded calculation does not end by this commit
--   { 'shortage', … left }             usageKey, units left, …
--- @include "clock"
--- @include "holds"
--- @include "counters"
--- @include "supersede"
--- @include "note-due"

-- Open calculations with a hold that one member may have. Beyond them limited benefits count as used up, until some are sold
-- or have ended.
local MOST_HOLDS = 20000

local calculation_key, answer_key, hold_key, use_key, superseded_key, held_key, holds_due_key, index_key, due_key = unpack(KEYS)
local calculation_id, fingerprint, deadline_ms, hold_ms, idempotency_ms, retention_ms, stored_form, venue_id, uses, superseded_here,
  superseded_elsewhere, sale_before, successor_before, status, total, kept, tier, share, reason, common, is_lent, member, entry_read,
  look_ms, call_over_ms = unpack(ARGV, 1, 25)

local now = now_ms()
local is_claimed = entry_read == 'claimed'
local entry = is_claimed and entry_read or redis.call('GET', index_key) or ''
-- The entry outlives the answer, so without an entry there is none.
local stored = entry ~= '' and redis.call('GET', answer_key)
if stored then
  local fields = redis.call('HMGET', calculation_key, 'fp', 'release')
  if fields[1] == fingerprint then
    return { 'replay', stored, fields[2] or '' }
  end
  return { 'conflict' }
end
if now > tonumber(deadline_ms) then
  return { 'too_late' }
end
if entry ~= entry_read or redis.call('HEXISTS', use_key, '!moved') == 1 then
  return { 'changed' }
end

-- The record may be of an earlier commit of this calculation, whose answer has expired.
local state, earlier, successor = unpack(redis.call('HMGET', calculation_key, 'state', 'fp', 'supersededBy'))
local was_sold = state == 'sold' or sale_before ~= ''
local ended = was_sold or state == 'superseded' or successor_before ~= ''
local superseded = superseded_here ~= '' and may_supersede(superseded_key, venue_id) and superseded_here or ''

if is_lent == '1' and superseded == '' and not ended then
  -- Another calculation has ended it, or a sale: its units are not ours.
  return { 'not_lent' }
end
if uses ~= '' and not ended then
  local held_units = end_due_holds(hold_key, held_key, holds_due_key, now)
  -- Units that this commit gives back: those of its own earlier hold, and of the calculation that it supersedes.
  local back, own = {}, redis.call('HGET', hold_key, calculation_id)
  local older = superseded ~= '' and redis.call('HGET', hold_key, superseded)
  add_units(back, own, 1)
  add_units(back, older, 1)
  local is_full = not own and not older and redis.call('HLEN', hold_key) >= MOST_HOLDS
  local short, shortage = false, { 'shortage' }
  each_use(uses, function(usage, units, limit)
    local held = held_units(usage) - (back[usage] or 0)
    local left = is_full and 0 or limit - consumed_units(use_key, usage) - held
    short = short or units > left
    shortage[#shortage + 1] = usage
    shortage[#shortage + 1] = math.max(0, left)
  end)
  if short then
    return shortage
  end
end

-- Everything is decided; from here on only writes.
if not is_claimed then
  local lifetime, tail = retention_ms, '-'
  if entry ~= '' then
    -- The entry of a sold calculation is kept for longer than others. Its tail tells of a sale or a successor that came first.
    lifetime = integer(math.max(redis.call('PTTL', index_key), tonumber(retention_ms)))
    tail = string.match(entry, '^%S+ %S+ %d+ (.*)$') or '-'
  end
  redis.call('SET', index_key, member .. ' ' .. fingerprint .. ' ' .. integer(now) .. ' ' .. tail, 'PX', lifetime)
  note_due(due_key, now, look_ms, call_over_ms, calculation_id)
end
local pending = superseded_elsewhere
local released, given_back = 0, ''
if superseded ~= '' then
  local was_committed = is_committed(superseded_key)
  released, given_back = supersede(superseded_key, hold_key, held_key, holds_due_key, superseded, calculation_id, retention_ms)
  -- Another member may have claimed the ID if the superseded calculation was never committed; that member must find the
  -- mark in the index. Of a committed one the counters of all members may be left.
  pending = (not was_committed or given_back ~= '') and superseded or ''
end
redis.call('SET', answer_key, stored_form, 'PX', idempotency_ms)
local fields = { 'fp', fingerprint }
local function set(field, value)
  fields[#fields + 1] = field
  fields[#fields + 1] = value
end
if pending ~= '' then
  set('release', pending)
end
local holds = not ended and uses ~= ''
local is_open = not ended and common ~= ''
-- A calculation that was sold after an earlier commit keeps its record, because this answer is not the one that was
-- sold.
if not (state == 'sold' and earlier) then
  if earlier then
    -- The earlier commit's record and hold must not count for this one.
    redis.call('DEL', calculation_key)
    drop_holds(hold_key, held_key, holds_due_key, { calculation_id })
  end
  local deadline = integer(now + tonumber(hold_ms))
  set('venue', venue_id)
  set('status', status)
  set('at', integer(now))
  set('deadline', deadline)
  if total ~= '' then
    set('total', total)
  end
  if tier ~= '' then
    set('tier', tier)
  end
  if share ~= '' then
    set('share', share)
  end
  if reason ~= '' then
    set('reason', reason)
  end
  for number = 26, #ARGV do
    set('g' .. (number - 26), ARGV[number])
  end
  -- Fields of 64 bytes are the longest that leave the hash in Redis' compact form.
  for number = 0, (#kept - 1) / 64 do
    set('b' .. number, string.sub(kept, number * 64 + 1, number * 64 + 64))
  end
  if uses ~= '' and not was_sold then
    -- A superseded calculation records its uses without a hold; a sale of it would be booked as late.
    set('holds', uses)
  end
  if common ~= '' and not was_sold then
    set('common', common)
  end
  if holds or is_open then
    -- Those of limits over all members count in their own counters; here they show what the member holds.
    local of_all = string.gsub(common, '[%w_-]+/(%S+=%d+/%d+)', '%1')
    local all = uses == '' and of_all or of_all == '' and uses or uses .. ' ' .. of_all
    put_hold(hold_key, held_key, holds_due_key, calculation_id, deadline, all, hold_ms, now)
  end
  if not ended then
    set('state', 'open')
  elseif was_sold then
    -- We cannot know whether the event was published when it came before this call; it is due.
    set('state', 'sold')
    set('event', 1)
    if sale_before ~= '' then
      set('sale', sale_before)
    end
  else
    set('state', 'superseded')
    set('supersededBy', successor or successor_before)
  end
end
redis.call('HSET', calculation_key, unpack(fields))
-- A sold calculation is kept for returns, longer than others, also if its ID is used again after its answer has expired.
if not (state == 'sold' and redis.call('PTTL', calculation_key) > tonumber(retention_ms)) then
  redis.call('PEXPIRE', calculation_key, retention_ms)
end
return { 'committed', (holds or is_open) and 1 or 0, released, pending, given_back, is_open and 1 or 0 }
