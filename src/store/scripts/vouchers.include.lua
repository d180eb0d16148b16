--- @include "clock"
-- The book of a member's counted grants, the hash `vouchers`: for each grant, `benefitId/grantId`, what happened to it, as words that
-- are separated by blanks. `1961234g1~2026-12-31`: in this quarter of an hour since 1970 one was given, until that day; `g-1`: taken
-- away; `g0~2026-12-31`: another last day; `u1`: used; `u-1`: a use was given back. Every day of every time zone begins with a quarter
-- of an hour.
local QUARTER_MS = 900000

local function book_voucher(vouchers_key, voucher, now, kind, units, to)
  local word = integer(math.floor(now / QUARTER_MS)) .. kind .. integer(units) .. (to and '~' .. to or '')
  local before = redis.call('HGET', vouchers_key, voucher)
  redis.call('HSET', vouchers_key, voucher, before and before .. ' ' .. word or word)
end

-- Books units of a counter that is a grant's, and nothing of any other one.
local function book_voucher_use(vouchers_key, usage, now, units)
  local voucher = string.match(usage, '^([^/]+/.+):%*$')
  if voucher and units ~= 0 then
    book_voucher(vouchers_key, voucher, now, 'u', units)
  end
end

-- Adds the counted grants of a member to others, from their JSON.
local function add_counted(grants, json)
  for _, grant in ipairs(json and json ~= '' and cjson.decode(json) or {}) do
    if grant.quantity then
      local name = grant.benefitId .. '/' .. grant.grantId
      local known = grants[name] or { quantity = 0, to = grant.to }
      -- Where the grants of two members have different days, '' is neither: that of the joined grant is booked.
      local to = known.to ~= grant.to and '' or grant.to
      grants[name] = { quantity = known.quantity + grant.quantity, to = to }
    end
  end
  return grants
end

-- Books what a change of grants gives and takes.
local function book_grants(vouchers_key, programme_id, before, after, now)
  for name, grant in pairs(after) do
    local known = before[name] or { quantity = 0 }
    if grant.quantity ~= known.quantity or grant.to ~= known.to then
      book_voucher(vouchers_key, name, now, 'g', grant.quantity - known.quantity, grant.to)
      if grant.quantity < known.quantity and known.to and not grant.to then
        -- Fewer without a day would be a grant that was taken away.
        book_voucher(vouchers_key, name, now, 'g', 0)
      end
      redis.call('HSETNX', vouchers_key, '!programme', programme_id)
    end
  end
  for name, grant in pairs(before) do
    if not after[name] then
      book_voucher(vouchers_key, name, now, 'g', -grant.quantity)
    end
  end
end
