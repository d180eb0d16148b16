-- Keeps the answer of a sold calculation for as long as it can be returned, in fields a0, a1 … of at most 64 bytes, the longest
-- that leave the hash in Redis' compact form (src/store/stored-calculation.ts).
local function keep_answer(calculation_key, answer_key)
  local stored = redis.call('GET', answer_key)
  for number = 0, stored and (#stored - 1) / 64 or -1 do
    redis.call('HSET', calculation_key, 'a' .. number, string.sub(stored, number * 64 + 1, number * 64 + 64))
  end
end
