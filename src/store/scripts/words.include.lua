-- Arguments after their number, and the place after them.
local function counted_words(at)
  local last = at + tonumber(ARGV[at])
  return { unpack(ARGV, at + 1, last) }, last + 1
end
