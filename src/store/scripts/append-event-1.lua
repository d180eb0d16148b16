#!lua
-- Appends an event to a stream, and removes what is older than the retention. Both go by Redis' clock: a process whose own
-- clock is ahead would remove the events of all.
--   KEYS[1]  events
--   ARGV[1]  retentionMs   ARGV[2]  … fields: field, value, …
-- Returns id: the entry's
--- @include "clock"

return redis.call('XADD', KEYS[1], 'MINID', '~', integer(math.max(0, now_ms() - tonumber(ARGV[1]))), '*', unpack(ARGV, 2))
