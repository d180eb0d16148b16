#!lua
-- Claims a calculation ID and notes it for expiry, stores its answer, takes its hold and releases the calculation it supersedes, all
-- at once or not at all: the only write of a basket call. On a cluster the claim and the note are in other slots and come just before
-- (claim-index, note-due).
--   KEYS[1]  calc   KEYS[2]  answer   KEYS[3]  hold   KEYS[4]  use
--   KEYS[5]  calc of the superseded calculation of the same member, or a key that nothing has
--   KEYS[6]  held   KEYS[7]  holds-due
--   KEYS[8]  index of the calculation  KEYS[9]  due; on a cluster keys that nothing has
--   ARGV[1]  calculationId             ARGV[2]  fingerprint
--   ARGV[3]  deadline of the call (ms) ARGV[4]  hold time (ms)
--   ARGV[5]  idempotency window (ms)   ARGV[6]  retention (ms)
--   ARGV[7]  answer as stored          ARGV[8]  venueId
--   ARGV[9]  uses: `usageKey=units/limit …`, or ''
--   ARGV[10] superseded calculationId of the same member, or ''
--   ARGV[11] calculationId still to be released elsewhere, or ''
--   ARGV[12] outcome of the sale event that came before this call, or ''
--   ARGV[13] calculationId of the successor that came before this call, or ''
--   ARGV[14] status of the answer      ARGV[15] total of the answer, or ''
--   ARGV[16] what is kept of the basket, or '' (kept-baskets.ts)
--   ARGV[17] tier of the member, or '' ARGV[18] shares that the member is in, or ''
--   ARGV[19] reason of an unchanged answer, or ''
--   ARGV[20] uses of limits over all members, which hold them already: `counter/usageKey=units/limit …`, or ''
--   ARGV[21] 1 when these units are there only if this commit ends the superseded calculation
--   ARGV[22] member of the calculation
--   ARGV[23] the index entry as it was read, '' where there was none, or 'claimed' where the ID is claimed already
--   ARGV[24] milliseconds from now at which the calculation is looked at for expiry
--   ARGV[25] milliseconds from now at which its call is over
--   ARGV[26] … what benefits give, a field each (given.ts)
-- Returns one of
--   { 'committed', holds made 0|1, holds released 0|1, calculationId still to be released or '',
--     uses of limits over all members that a superseded calculation of the same member has to give back, or '',
--     1 when its own uses of such limits hold }
--   { 'replay', answer, calculationId still to be released or '' }
--   { 'conflict' }                     { 'too_late' }
--   { 'changed' }                      the index entry is another one, or the member was merged: both must be read again
--   { 'not_lent' }                     the superseded calculation does not end by this commit
--   { 'shortage', usageKey, units left, … }
--- @include "clock"
--- @include "holds"
--- @include "counters"
--- @include "supersede"
--- @include "note-due"

-- Open calculations with a hold that one member may have. Beyond them limited benefits count as used up, until some are sold
-- or have ended.
local MOST_HOLDS = 20000

local now = now_ms()
local stored = redis.call('GET', KEYS[2])
if stored then
  local fields = redis.call('HMGET', KEYS[1], 'fp', 'release')
  if fields[1] == ARGV[2] then
    return { 'replay', stored, fields[2] or '' }
  end
  return { 'conflict' }
end
if now > tonumber(ARGV[3]) then
  return { 'too_late' }
end
local is_claimed = ARGV[23] == 'claimed'
local entry = not is_claimed and redis.call('GET', KEYS[8]) or ''
if (not is_claimed and entry ~= ARGV[23]) or redis.call('HEXISTS', KEYS[4], '!moved') == 1 then
  return { 'changed' }
end

-- The record may be of an earlier commit of this calculation, whose answer has expired.
local state, earlier, successor = unpack(redis.call('HMGET', KEYS[1], 'state', 'fp', 'supersededBy'))
local was_sold = state == 'sold' or ARGV[12] ~= ''
local ended = was_sold or state == 'superseded' or ARGV[13] ~= ''
local superseded = ARGV[10] ~= '' and may_supersede(KEYS[5], ARGV[8]) and ARGV[10] or ''

if ARGV[21] == '1' and superseded == '' and not ended then
  -- Another calculation has ended it, or a sale: its units are not ours.
  return { 'not_lent' }
end
if ARGV[9] ~= '' and not ended then
  local held_units = end_due_holds(KEYS[3], KEYS[6], KEYS[7], now)
  -- Units that this commit gives back: those of its own earlier hold, and of the calculation that it supersedes.
  local back, own = {}, redis.call('HGET', KEYS[3], ARGV[1])
  local older = superseded ~= '' and redis.call('HGET', KEYS[3], superseded)
  add_units(back, own, 1)
  add_units(back, older, 1)
  local is_full = not own and not older and redis.call('HLEN', KEYS[3]) >= MOST_HOLDS
  local short, shortage = false, { 'shortage' }
  each_use(ARGV[9], function(usage, units, limit)
    local held = held_units(usage) - (back[usage] or 0)
    local left = is_full and 0 or limit - consumed_units(KEYS[4], usage) - held
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
  -- The entry of a sold calculation is kept for longer than others. Its tail tells of a sale or a successor that came first.
  local kept = math.max(redis.call('PTTL', KEYS[8]), tonumber(ARGV[6]))
  local tail = string.match(entry, '^%S+ %S+ %d+ (.*)$') or '-'
  redis.call('SET', KEYS[8], ARGV[22] .. ' ' .. ARGV[2] .. ' ' .. integer(now) .. ' ' .. tail, 'PX', integer(kept))
  note_due(KEYS[9], now, ARGV[24], ARGV[25], ARGV[1])
end
local pending = ARGV[11]
local released, given_back = 0, ''
if superseded ~= '' then
  local was_committed = is_committed(KEYS[5])
  released, given_back = supersede(KEYS[5], KEYS[3], KEYS[6], KEYS[7], superseded, ARGV[1], ARGV[6])
  -- Another member may have claimed the ID if the superseded calculation was never committed; that member must find the
  -- mark in the index. Of a committed one the counters of all members may be left.
  pending = (not was_committed or given_back ~= '') and superseded or ''
end
redis.call('SET', KEYS[2], ARGV[7], 'PX', ARGV[5])
local fields = { 'fp', ARGV[2] }
local function set(field, value)
  fields[#fields + 1] = field
  fields[#fields + 1] = value
end
if pending ~= '' then
  set('release', pending)
end
local holds = not ended and ARGV[9] ~= ''
-- A calculation that was sold after an earlier commit keeps its record, because this answer is not the one that was
-- sold.
if not (state == 'sold' and earlier) then
  if earlier then
    -- The earlier commit's record and hold must not count for this one.
    redis.call('DEL', KEYS[1])
    drop_holds(KEYS[3], KEYS[6], KEYS[7], { ARGV[1] })
  end
  local deadline = integer(now + tonumber(ARGV[4]))
  set('venue', ARGV[8])
  set('status', ARGV[14])
  set('at', integer(now))
  set('deadline', deadline)
  if ARGV[15] ~= '' then
    set('total', ARGV[15])
  end
  if ARGV[17] ~= '' then
    set('tier', ARGV[17])
  end
  if ARGV[18] ~= '' then
    set('share', ARGV[18])
  end
  if ARGV[19] ~= '' then
    set('reason', ARGV[19])
  end
  for number = 26, #ARGV do
    set('g' .. (number - 26), ARGV[number])
  end
  -- Fields of 64 bytes are the longest that leave the hash in Redis' compact form.
  for number = 0, (#ARGV[16] - 1) / 64 do
    set('b' .. number, string.sub(ARGV[16], number * 64 + 1, number * 64 + 64))
  end
  if ARGV[9] ~= '' and not was_sold then
    -- A superseded calculation records its uses without a hold; a sale of it would be booked as late.
    set('holds', ARGV[9])
  end
  if ARGV[20] ~= '' and not was_sold then
    set('common', ARGV[20])
  end
  if holds then
    put_hold(KEYS[3], KEYS[6], KEYS[7], ARGV[1], deadline, ARGV[9], ARGV[4], now)
  end
  if not ended then
    set('state', 'open')
  elseif was_sold then
    -- We cannot know whether the event was published when it came before this call; it is due.
    set('state', 'sold')
    set('event', 1)
    if ARGV[12] ~= '' then
      set('sale', ARGV[12])
    end
  else
    set('state', 'superseded')
    set('supersededBy', successor or ARGV[13])
  end
end
redis.call('HSET', KEYS[1], unpack(fields))
-- A sold calculation is kept for returns, longer than others, also if its ID is used again after its answer has expired.
if not (state == 'sold' and redis.call('PTTL', KEYS[1]) > tonumber(ARGV[6])) then
  redis.call('PEXPIRE', KEYS[1], ARGV[6])
end
local is_open = not ended and ARGV[20] ~= ''
return { 'committed', (holds or is_open) and 1 or 0, released, pending, given_back, is_open and 1 or 0 }
