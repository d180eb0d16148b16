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

-- Writes such words, those from `first` to `last`, into a key. Its own words stay, and of two lifetimes the longer one
-- counts; -1 is without end, and a key whose lifetime is 0 is over.
local function write_content(key, kind, lifetime, words, first, last)
  lifetime = tonumber(lifetime)
  if last < first or (lifetime <= 0 and lifetime ~= -1) then
    return
  end
  local is_new = redis.call('EXISTS', key) == 0
  for at = first, last, kind == 'string' and 1 or 2 do
    if kind == 'hash' then
      redis.call('HSETNX', key, words[at], words[at + 1])
    elseif kind == 'string' then
      redis.call('SETNX', key, words[at])
    else
      redis.call('ZADD', key, 'NX', words[at + 1], words[at])
    end
  end
  if lifetime == -1 then
    redis.call('PERSIST', key)
  elseif is_new then
    redis.call('PEXPIRE', key, lifetime)
  else
    redis.call('PEXPIRE', key, lifetime, 'GT')
  end
end
