-- The bytes that lie in the fields of a letter and a number: b0, b1 … (src/store/kept-baskets.ts).
local function pieces_of(calculation_key, letter)
  local text, number = '', 0
  repeat
    local names = {}
    for step = 1, 16 do
      names[step] = letter .. (number + step - 1)
    end
    local parts = redis.call('HMGET', calculation_key, unpack(names))
    for _, part in ipairs(parts) do
      text = text .. (part or '')
    end
    number = number + 16
  until not parts[16]
  return text
end
