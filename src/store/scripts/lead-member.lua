#!lua
-- Leads calls of a stored member on to another one.
--- @declared "merges"

if redis.call('HEXISTS', member_key, 'into') == 1 then
  return 'marked_before'
end
if redis.call('HEXISTS', member_key, 'status') == 0 then
  return 'missing'
end
redis.call('HSET', member_key, 'into', into_id)
return 'marked'
