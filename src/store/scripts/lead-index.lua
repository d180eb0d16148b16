#!lua
-- Leads an index entry of a merged member to the member that it was merged into. An entry of anybody else stays.
--- @declared "index-entries"

local member, rest = string.match(redis.call('GET', index_key) or '', '^(%S+)( .*)$')
if member == from then
  redis.call('SET', index_key, into .. rest, 'KEEPTTL')
end
