#!lua
-- Writes a member, replacing all that was stored of it.
--   KEYS[1]  member
--   ARGV     field, value, field, value, …
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], unpack(ARGV))
