#!lua flags=no-writes
-- Reads all that is stored of a calculation, to move it to the member that its own one was merged into.
--   KEYS[1]  hold   KEYS[2]  calculation   KEYS[3]  answer   KEYS[4]  … others: its other keys (owned-keys.ts)
--   ARGV[1]  calculationId
--   ARGV[2]  … kinds: of calculation, answer and others
-- Returns { hold, … contents }: its hold, or '', then what each key has (contents); an empty list when neither record nor answer
-- is there
--- @include "contents"

local hold_key, calculation_key, answer_key = unpack(KEYS)
if redis.call('EXISTS', calculation_key, answer_key) == 0 then
  return {}
end
local read = { redis.call('HGET', hold_key, ARGV[1]) or '' }
for at = 2, #KEYS do
  read[at] = read_content(KEYS[at], ARGV[at])
end
return read
