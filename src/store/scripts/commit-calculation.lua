#!lua
-- Claims a calculation ID and notes it for expiry, stores its answer, takes its hold and releases the calculation it supersedes, all
-- at once or not at all: the only write of most basket calls. On a cluster the claim and the note are in other slots and come just before
-- (claim-index, note-examination).
--- @include "clock"
--- @include "counters"
--- @include "holds"
--- @include "note-examination"
--- @include "supersede"
--- @declared "calculations"

-- Open calculations with a hold that one member may have. Beyond them limited benefits count as used up, until some are sold
-- or have ended.
local MOST_HOLDS = 20000

local now = now_ms()
local entry = not is_claimed and redis.call('GET', index_key) or ''
-- The entry outlives the answer, so without an entry there is none.
local answered = (is_claimed or entry ~= '') and redis.call('GET', answer_key)
if answered then
  local fp, release = unpack(redis.call('HMGET', calculation_key, 'fp', 'release'))
  if fp == fingerprint then
    return reply({ outcome = 'replay', stored = answered, release = release })
  end
  return reply({ outcome = 'conflict' })
end
if now > tonumber(deadline_ms) then
  return reply({ outcome = 'too_late' })
end
if entry ~= entry_read or redis.call('HEXISTS', use_key, '!moved') == 1 then
  return reply({ outcome = 'changed' })
end

-- The record may be of an earlier commit of this calculation, whose answer has expired, or of a sale or a successor that came first.
local earlier_state, earlier_fp, earlier_successor = unpack(redis.call('HMGET', calculation_key, 'state', 'fp', 'supersededBy'))
local becomes = 'open'
if earlier_state == 'sold' or sale_before ~= '' then
  becomes = 'sold'
elseif earlier_state == 'superseded' or successor_before ~= '' then
  becomes = 'superseded'
end
-- A calculation that was sold after an earlier commit keeps its record, because this answer is not the one that was
-- sold.
local keeps_record = earlier_state == 'sold' and earlier_fp
local holds_own = becomes == 'open' and uses ~= ''
local holds_common = becomes == 'open' and common ~= ''
local supersedes_elsewhere = superseded ~= '' and not superseded_key
local supersedes_here = superseded_key and may_supersede(superseded_key, venue_id)

if is_lent and becomes == 'open' and not supersedes_here then
  -- Another calculation has ended it, or a sale: its units are not ours.
  return reply({ outcome = 'not_lent' })
end
if holds_own then
  local held_units = end_due_holds(hold_key, held_key, holds_due_key, now)
  -- Units that this commit gives back: those of its own earlier hold, and of the calculation that it supersedes.
  local back, own = {}, redis.call('HGET', hold_key, calculation_id)
  local older = supersedes_here and redis.call('HGET', hold_key, superseded)
  add_units(back, own, 1)
  add_units(back, older, 1)
  local is_full = not own and not older and redis.call('HLEN', hold_key) >= MOST_HOLDS
  local is_short, all_left = false, {}
  each_use(uses, function(usage, units, limit)
    local held = held_units(usage) - (back[usage] or 0)
    local left = is_full and 0 or limit - consumed_units(use_key, usage) - held
    is_short = is_short or units > left
    all_left[#all_left + 1] = usage
    all_left[#all_left + 1] = math.max(0, left)
  end)
  if is_short then
    return reply({ outcome = 'shortage', left = all_left })
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
  redis.call('SET', index_key, member .. ' - ' .. integer(now) .. ' ' .. tail, 'PX', lifetime)
  note_examination(examinations_key, now, look_ms, call_over_ms, calculation_id)
end
local release_due = supersedes_elsewhere and 'all' or ''
local released, given_back = 0, ''
if supersedes_here then
  local was_committed = is_committed(superseded_key)
  released, given_back = supersede(superseded_key, hold_key, held_key, holds_due_key, superseded, calculation_id, retention_ms)
  -- Another member may have claimed the ID if the superseded calculation was never committed; that member must find the
  -- mark in the index. Of a committed one the counters of all members may be left.
  release_due = not was_committed and 'all' or given_back ~= '' and 'counters' or ''
end
redis.call('SET', answer_key, stored, 'PX', idempotency_ms)
local fields = { 'fp', fingerprint }
local function set(field, value)
  if value ~= '' then
    fields[#fields + 1] = field
    fields[#fields + 1] = value
  end
end
set('release', release_due ~= '' and superseded or '')
if not keeps_record then
  if earlier_fp then
    -- The earlier commit's record and hold must not count for this one.
    redis.call('DEL', calculation_key)
    drop_holds(hold_key, held_key, holds_due_key, { calculation_id })
  end
  local deadline = integer(now + tonumber(hold_ms))
  set('venue', venue_id)
  set('status', status)
  set('at', integer(now))
  set('deadline', deadline)
  set('total', total)
  set('tier', tier)
  set('share', share)
  set('reason', reason)
  for number = 1, #given do
    set('g' .. (number - 1), given[number])
  end
  -- Fields of 64 bytes are the longest that leave the hash in Redis' compact form.
  for number = 0, (#kept - 1) / 64 do
    set('b' .. number, string.sub(kept, number * 64 + 1, number * 64 + 64))
  end
  if becomes ~= 'sold' then
    -- A superseded calculation records its uses without a hold; a sale of it would be booked as late.
    set('holds', uses)
    set('common', common)
  end
  if holds_own or holds_common then
    -- Those of limits over all members count in their own counters; here they show what the member holds.
    local of_all = string.gsub(common, '[%w_-]+/(%S+=%d+/%d+)', '%1')
    local all = uses == '' and of_all or of_all == '' and uses or uses .. ' ' .. of_all
    put_hold(hold_key, held_key, holds_due_key, calculation_id, deadline, all, hold_ms, now)
  end
  set('state', becomes)
  if becomes == 'sold' then
    -- We cannot know whether the event was published when it came before this call; it is due.
    set('event', 1)
    set('sale', sale_before)
  elseif becomes == 'superseded' then
    set('supersededBy', earlier_successor or successor_before)
  end
end
redis.call('HSET', calculation_key, unpack(fields))
-- A sold calculation is kept for returns, longer than others, also if its ID is used again after its answer has expired.
if not (earlier_state == 'sold' and redis.call('PTTL', calculation_key) > tonumber(retention_ms)) then
  redis.call('PEXPIRE', calculation_key, retention_ms)
end
return reply({
  outcome = 'committed',
  holds_made = (holds_own or holds_common) and 1 or 0,
  holds_released = released,
  release_due = release_due,
  given_back = given_back,
  holds_common = holds_common,
})
