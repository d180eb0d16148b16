-- What the answer of a calculation gave by its benefits: the text in its fields g0 to g7 (src/store/given.ts).
local function given_text(calculation_key)
  local parts = redis.call('HMGET', calculation_key, 'g0', 'g1', 'g2', 'g3', 'g4', 'g5', 'g6', 'g7')
  local text = ''
  for _, part in ipairs(parts) do
    text = text .. (part or '')
  end
  return text
end
