#!lua
-- Adds what a process has counted since its last report to the rows of a day. A report that comes again, because its reply
-- was lost, adds nothing.
--- @include "clock"
--- @declared "environment"

if tonumber(redis.call('HGET', cost_rows_key, process) or 0) >= tonumber(report) then
  return false
end
redis.call('HSET', cost_rows_key, process, report)
local most, figures = tonumber(most_rows), tonumber(figures)
-- Reporters are fields too, and are many where each return is one.
local count = tonumber(redis.call('HGET', cost_rows_key, '!!rows') or 0)
for at = 1, #rows, figures + 2 do
  local row = rows[at]
  local before = redis.call('HGET', cost_rows_key, row)
  if not before and count >= most then
    row = rows[at + 1]
    before = redis.call('HGET', cost_rows_key, row)
  end
  count = count + (before and 0 or 1)
  local sums, number = {}, 0
  for word in string.gmatch(before or '', '%S+') do
    number = number + 1
    sums[number] = tonumber(word)
  end
  for figure = 1, figures do
    sums[figure] = integer((sums[figure] or 0) + tonumber(rows[at + 1 + figure]))
  end
  redis.call('HSET', cost_rows_key, row, table.concat(sums, ' '))
end
redis.call('HSET', cost_rows_key, '!!rows', integer(count))
redis.call('PEXPIREAT', cost_rows_key, forgotten_ms)
return true
