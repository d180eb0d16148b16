-- Days since 1970-01-01 of a date of the Gregorian calendar (H. Hinnant, days_from_civil). Months past 12 run into the next year.
local function day_number(year, month, day)
  year, month = year + math.floor((month - 1) / 12), (month - 1) % 12 + 1
  local shifted = month <= 2 and year - 1 or year
  local era = math.floor(shifted / 400)
  local year_of_era = shifted - era * 400
  local day_of_year = math.floor((153 * (month > 2 and month - 3 or month + 9) + 2) / 5) + day - 1
  return era * 146097 + year_of_era * 365 + math.floor(year_of_era / 4) - math.floor(year_of_era / 100) + day_of_year - 719468
end

-- The number of the first day after the period of a usage key, `benefitId:period`, where the period is `2026-11-21`,
-- `2026-W47` (ISO 8601), `2026-11` or `2026`. Nil for `*`, a lifetime, and for a key of another form.
local function period_end_day(usage)
  -- A year after 9999 is written with a sign, as calendars of the year 9999 have some that end in the next one.
  local period = string.match(usage, ':%+?([%d%-W]+)$') or ''
  local year, month, day = string.match(period, '^(%d+)-(%d%d)-(%d%d)$')
  if year then
    return day_number(tonumber(year), tonumber(month), tonumber(day)) + 1
  end
  local week
  year, week = string.match(period, '^(%d+)-W(%d%d)$')
  if year then
    -- Week 1 is the one with 4 January; 1970-01-01 was a Thursday, three days after a Monday.
    local fourth = day_number(tonumber(year), 1, 4)
    return fourth - (fourth + 3) % 7 + 7 * tonumber(week)
  end
  year, month = string.match(period, '^(%d+)-(%d%d)$')
  if year then
    return day_number(tonumber(year), tonumber(month) + 1, 1)
  end
  year = string.match(period, '^(%d+)$')
  return year and day_number(tonumber(year) + 1, 1, 1)
end

-- The day begins last at UTC-12, so a period is over everywhere half a day after it is over at Greenwich.
local HALF_DAY_MS = 43200000

-- The instant (ms) until which the consumption under a usage key is kept: the end of its period in every time zone,
-- plus the retention. Nil means without end.
local function usage_end_ms(usage, retention_ms)
  local day = period_end_day(usage)
  if day then
    return day * 86400000 + HALF_DAY_MS + retention_ms
  end
  -- A year before the year 0 is written with a sign. Such a period is over.
  return string.find(usage, ':%d*%-%d[^!]*$') and 0 or nil
end
