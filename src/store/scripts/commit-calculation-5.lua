#!lua
-- Stores an answer, takes its hold and releases the calculation it supersedes, all at once or not at all.
--   KEYS[1]  calc   KEYS[2]  answer   KEYS[3]  hold   KEYS[4]  use
--   KEYS[5]  calc of the superseded calculation of the same member, or KEYS[1] when there is none
--   ARGV[1]  calculationId             ARGV[2]  fingerprint
--   ARGV[3]  deadline of the call (ms) ARGV[4]  hold time (ms)
--   ARGV[5]  idempotency window (ms)   ARGV[6]  retention (ms)
--   ARGV[7]  answer, compressed        ARGV[8]  venueId
--   ARGV[9]  uses: `usageKey=units/limit …`, or ''
--   ARGV[10] superseded calculationId of the same member, or ''
--   ARGV[11] calculationId still to be released elsewhere, or ''
--   ARGV[12] outcome of the sale event that came before this call, or ''
--   ARGV[13] calculationId of the successor that came before this call, or ''
--   ARGV[14] status of the answer      ARGV[15] total of the answer, or ''
-- Returns one of
--   { 'committed', holds made 0|1, holds released 0|1 }
--   { 'replay', answer, calculationId still to be released or '' }
--   { 'conflict' }                     { 'too_late' }
--   { 'shortage', usageKey, units left, … }
--- @include "clock"
--- @include "holds"
--- @include "supersede"

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

local state = redis.call('HGET', KEYS[1], 'state')
local ended = state == 'sold' or state == 'superseded' or ARGV[12] ~= '' or ARGV[13] ~= ''
local superseded = ARGV[10] ~= '' and may_supersede(KEYS[5], ARGV[8]) and ARGV[10] or ''

local expired = {}
if ARGV[9] ~= '' and not ended then
  local held
  held, expired = held_by_others(KEYS[3], now, ARGV[1], superseded)
  local short, shortage = false, { 'shortage' }
  each_use(ARGV[9], function(usage, units, limit)
    local left = limit - tonumber(redis.call('HGET', KEYS[4], usage) or 0) - (held[usage] or 0)
    short = short or units > left
    shortage[#shortage + 1] = usage
    shortage[#shortage + 1] = math.max(0, left)
  end)
  if short then
    return shortage
  end
end

-- Everything is decided; from here on only writes.
if #expired > 0 then
  redis.call('HDEL', KEYS[3], unpack(expired, 1, math.min(#expired, 1000)))
end
local released = 0
if superseded ~= '' then
  released = supersede(KEYS[5], KEYS[3], superseded, ARGV[1], ARGV[6])
end
local deadline = integer(now + tonumber(ARGV[4]))
redis.call('SET', KEYS[2], ARGV[7], 'PX', ARGV[5])
local fields = { 'fp', ARGV[2], 'venue', ARGV[8], 'status', ARGV[14], 'at', integer(now), 'deadline', deadline }
local function set(field, value)
  fields[#fields + 1] = field
  fields[#fields + 1] = value
end
if ARGV[15] ~= '' then
  set('total', ARGV[15])
end
if ARGV[11] ~= '' then
  set('release', ARGV[11])
end
if not ended then
  set('state', 'open')
  if ARGV[9] ~= '' then
    set('holds', ARGV[9])
    redis.call('HSET', KEYS[3], ARGV[1], deadline .. ' ' .. ARGV[9])
    redis.call('PEXPIRE', KEYS[3], ARGV[4], 'NX')
    redis.call('PEXPIRE', KEYS[3], ARGV[4], 'GT')
  end
elseif ARGV[12] ~= '' then
  -- Whether the event reached the stream before, nothing remembers: it is due until the next time it is sent.
  set('state', 'sold')
  set('sale', ARGV[12])
  set('event', 1)
elseif state == 'sold' then
  set('event', 1)
elseif ARGV[13] ~= '' then
  set('state', 'superseded')
  set('supersededBy', ARGV[13])
end
redis.call('HSET', KEYS[1], unpack(fields))
redis.call('PEXPIRE', KEYS[1], ARGV[6])
return { 'committed', not ended and ARGV[9] ~= '' and 1 or 0, released }
