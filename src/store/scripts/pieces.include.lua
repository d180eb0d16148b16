-- The bytes that lie in the fields of a letter and a number: b0, b1 … (src/store/kept-baskets.ts), g0, g1 … (src/store/given.ts).
local function pieces_of(calculation_key, letter)
  local text, number = '', 0
  repeat
    local names = {}
    for step = 1, 8 do
      names[step] = letter .. (number + step - 1)
    end
    local parts = redis.call('HMGET', calculation_key, unpack(names))
    for _, part in ipairs(parts) do
      text = text .. (part or '')
    end
    number = number + 8
  until not parts[8]
  return text
end
