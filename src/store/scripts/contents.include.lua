-- What a key has, whatever its kind: its lifetime (PTTL), and its words.
local function read_content(key, kind)
  local words
  if kind == 'hash' then
    words = redis.call('HGETALL', key)
  elseif kind == 'string' then
    words = { redis.call('GET', key) or nil }
  else
    words = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
  end
  return { redis.call('PTTL', key), words }
end

-- Writes such words, those of the arguments from `first` to `last`, into a key. Its own words stay, and of two lifetimes the longer one
-- counts; -1 is without end, and a key whose lifetime is 0 is over. Returns how many words are new.
local function write_content(key, kind, lifetime, first, last)
  lifetime = tonumber(lifetime)
  if last < first or (lifetime <= 0 and lifetime ~= -1) then
    return 0
  end
  local is_new, written = redis.call('EXISTS', key) == 0, 0
  for at = first, last, kind == 'string' and 1 or 2 do
    if kind == 'hash' then
      written = written + redis.call('HSETNX', key, ARGV[at], ARGV[at + 1])
    elseif kind == 'string' then
      written = written + redis.call('SETNX', key, ARGV[at])
    else
      written = written + redis.call('ZADD', key, 'NX', ARGV[at + 1], ARGV[at])
    end
  end
  if lifetime == -1 then
    redis.call('PERSIST', key)
  elseif is_new then
    redis.call('PEXPIRE', key, lifetime)
  else
    redis.call('PEXPIRE', key, lifetime, 'GT')
  end
  return written
end
