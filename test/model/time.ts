/** Time as a history has it: what is stored of it is moved, as if it were Redis' clock that had. */
import type { Redis } from 'ioredis';
import type { MemberToken } from '../../src/store/keys.ts';
import { KEYS } from '../faults/support.ts';
import { isLive } from './judge.ts';
import type { Sight } from './observe.ts';

/**
 * Every instant in the store is one of Redis' clock, so moving the stored instants one way is the same as moving the clock
 * the other way, and other histories on the same Redis notice nothing. One step, as a clock's is. Keys that live for hours
 * and days are left alone: no jump here is as long.
 */
const MOVE = `
local by = tonumber(ARGV[1])
local function moved(instant) return string.format('%.0f', tonumber(instant) - by) end
for at, key in ipairs(KEYS) do
  local kind = ARGV[at + 1]
  if kind == 'hold' then
    local holds = redis.call('HGETALL', key)
    for field = 1, #holds, 2 do
      local deadline, uses = string.match(holds[field + 1], '^(%d+) (.*)$')
      redis.call('HSET', key, holds[field], moved(deadline) .. ' ' .. uses)
    end
    local lifetime = redis.call('PTTL', key)
    if lifetime > 0 then redis.call('PEXPIRE', key, lifetime - by) end
  elseif kind == 'counted' then
    -- Counted anew from the holds.
    redis.call('DEL', key)
  elseif kind == 'calc' then
    local deadline = redis.call('HGET', key, 'deadline')
    if deadline then redis.call('HSET', key, 'deadline', moved(deadline)) end
  else
    local head, deadline, tail = string.match(redis.call('GET', key) or '', '^(%S+ %S+) (%d+) (.*)$')
    if head and deadline ~= '0' then redis.call('SET', key, head .. ' ' .. moved(deadline) .. ' ' .. tail, 'KEEPTTL') end
  end
end
`;

/** Redis' clock jumps ahead by so much, back when it is below 0, for these members and calculations. */
export async function jumpClock(
  redis: Redis,
  ms: number,
  tokens: readonly MemberToken[],
  ids: Iterable<string>,
): Promise<void> {
  const keys: string[] = [];
  const kinds: string[] = [];
  const add = (key: string, kind: 'hold' | 'counted' | 'calc' | 'index') => {
    keys.push(key);
    kinds.push(kind);
  };
  for (const token of tokens) {
    add(KEYS.hold(token), 'hold');
    add(KEYS.held(token), 'counted');
    add(KEYS.holdsDue(token), 'counted');
  }
  for (const id of ids) {
    add(KEYS.index(id), 'index');
    for (const token of tokens) add(KEYS.calculation(token, id), 'calc');
  }
  await redis.eval(MOVE, keys.length, ...keys, ms, ...kinds);
}

/** Calculations whose deadline is ahead again, and whose hold was taken away while the clock was. Each with its deadline. */
export function findLostHolds(sight: Sight, ids: ReadonlyMap<number, string>): Map<number, number> {
  const lost = new Map<number, number>();
  for (const each of sight.calculations.values()) {
    const holds = each.member === undefined ? undefined : sight.members[each.member]?.holds;
    if (isLive(each, sight.nowMs) && !holds?.has(ids.get(each.number)!)) lost.set(each.number, each.deadlineMs);
  }
  return lost;
}
