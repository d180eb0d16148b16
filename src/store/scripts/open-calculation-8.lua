#!lua
-- Begins a calculation whose ID was never seen: takes its token, claims its ID, notes it and reads its member, all at
-- once or, for a refused call and for a known ID, not at all. All keys lie on one server, so not for a cluster.
--   KEYS[1]  rate   KEYS[2]  index   KEYS[3]  due   KEYS[4]  member   KEYS[5]  use   KEYS[6]  hold
--   KEYS[7]  held   KEYS[8]  holds-due
--   ARGV[1]  microseconds per token    ARGV[2]  burst, in tokens
--   ARGV[3]  instant of this node's clock (ms) after which nothing is written
--   ARGV[4]  calculationId             ARGV[5]  member and fingerprint of the index entry
--   ARGV[6]  milliseconds left of the call
--   ARGV[7]  retention (ms)            ARGV[8]  milliseconds until the calculation is looked at for expiry
--   ARGV[9]  1 when the programme has limited or granted benefits
--   ARGV[10] … calculations whose holds are wanted by themselves
-- Returns one of
--   { now in ms, 'opened', member fields, use fields, holds, held sums, what these are 0|1|2|3 (snapshot) }
--   { now in ms, 'known', index entry }                              a token was taken, and nothing else was done
--   { now in ms, 'refused', microseconds until the next token is there }
--   { now in ms, 'too_late' }                                        nothing was taken
--- @include "bucket"
--- @include "clock"
--- @include "holds"
--- @include "snapshot"

local time = redis.call('TIME')
local now_us = tonumber(time[1]) * 1000000 + tonumber(time[2])
local now = math.floor(now_us / 1000)
if now > tonumber(ARGV[3]) then
  return { now, 'too_late' }
end
local burst = tonumber(ARGV[2])
local granted, wait = take_tokens(KEYS[1], now_us, tonumber(ARGV[1]), burst, burst, 1)
if granted == 0 then
  return { now, 'refused', wait }
end

-- The deadline in the entry is the one that `claim-index` writes: the call has committed or given up by then.
local entry = ARGV[5] .. ' ' .. integer(now + tonumber(ARGV[6])) .. ' -'
local present = redis.call('SET', KEYS[2], entry, 'PX', ARGV[7], 'NX', 'GET')
if present then
  return { now, 'known', present }
end
redis.call('ZADD', KEYS[3], integer(now + tonumber(ARGV[8])), ARGV[4])
if ARGV[9] ~= '1' then
  return { now, 'opened', redis.call('HGETALL', KEYS[4]), {}, {}, {}, 0 }
end
end_due_holds(KEYS[6], KEYS[7], KEYS[8], now)
local uses, holds, held, form = read_uses(KEYS[5], KEYS[6], KEYS[7], KEYS[8], now, { unpack(ARGV, 10) })
return { now, 'opened', redis.call('HGETALL', KEYS[4]), uses, holds, held, form }
