-- An instant of Redis' clock as text, `2026-11-28T20:15:00.123Z`: the civil date of a day since 1970, counted in years that begin
-- in March.
local function instant(ms)
  local days = math.floor(ms / 86400000)
  local left = ms - days * 86400000
  local shifted = days + 719468
  local era = math.floor(shifted / 146097)
  local of_era = shifted - era * 146097
  local year = math.floor((of_era - math.floor(of_era / 1460) + math.floor(of_era / 36524) - math.floor(of_era / 146096)) / 365)
  local of_year = of_era - (365 * year + math.floor(year / 4) - math.floor(year / 100))
  local since_march = math.floor((5 * of_year + 2) / 153)
  local day = of_year - math.floor((153 * since_march + 2) / 5) + 1
  local month = since_march < 10 and since_march + 3 or since_march - 9
  year = year + era * 400 + (month <= 2 and 1 or 0)
  local seconds = math.floor(left / 1000)
  return string.format('%04d-%02d-%02dT%02d:%02d:%02d.%03dZ', year, month, day, math.floor(seconds / 3600),
    math.floor(seconds / 60) % 60, seconds % 60, left - seconds * 1000)
end
