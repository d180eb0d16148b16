-- Redis' own clock in milliseconds. Every deadline in this store is an instant of it.
local function now_ms()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- A whole number as text; tostring() would render large numbers in floating point notation.
local function integer(number)
  return string.format('%.0f', number)
end
