#!lua
-- Adds what a process has counted since its last report to the rows of a day. A report that comes again, because its reply
-- was lost, adds nothing.
--   KEYS[1]  costRows
--   ARGV[1]  process: as a field       ARGV[2]  report: its number, rising
--   ARGV[3]  forgottenMs: instant at which the day is
--   ARGV[4]  mostRows: of a day        ARGV[5]  figures: of a row
--   ARGV[6]  … rows: row, the row that counts in its place when the day has too many, then its figures, …
-- Returns isAdded: 1 when it was, 0 when it had been added before
--- @include "clock"

if tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or 0) >= tonumber(ARGV[2]) then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
local most, figures = tonumber(ARGV[4]), tonumber(ARGV[5])
-- Reporters are fields too, and are many where each return is one.
local rows = tonumber(redis.call('HGET', KEYS[1], '!!rows') or 0)
for at = 6, #ARGV, figures + 2 do
  local row = ARGV[at]
  local before = redis.call('HGET', KEYS[1], row)
  if not before and rows >= most then
    row = ARGV[at + 1]
    before = redis.call('HGET', KEYS[1], row)
  end
  rows = rows + (before and 0 or 1)
  local sums, number = {}, 0
  for word in string.gmatch(before or '', '%S+') do
    number = number + 1
    sums[number] = tonumber(word)
  end
  for figure = 1, figures do
    sums[figure] = integer((sums[figure] or 0) + tonumber(ARGV[at + 1 + figure]))
  end
  redis.call('HSET', KEYS[1], row, table.concat(sums, ' '))
end
redis.call('HSET', KEYS[1], '!!rows', integer(rows))
redis.call('PEXPIREAT', KEYS[1], ARGV[3])
return 1
