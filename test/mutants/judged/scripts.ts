import type { Judgement } from '../mutant.ts';
import { judge } from './judge.ts';

const BOUND = `One millisecond of Redis' clock or of a lifetime, which no test can choose.`;
const SAME = 'Both ways of reading give the same result, one more slowly.';
const ANEW = 'Sums that are wrong are noticed and counted anew.';
const UNUSED = 'Nobody reads this value; only that it is there counts.';
const EMPTY = 'There is nothing under such a name or text, as there is nothing under an empty one.';
const AGAIN = 'The same is written again.';
const FAR = 'A thousandth of a lifetime or of a second; each has a margin.';
const YEARS = 'From 2005 to 2399 the result is the same.';
const OVER = 'Both are instants long past.';
const PAIRS2 = 'Neither loop runs.';
const CONTIGUOUS = 'Pieces stand without a gap, so reading on finds nothing more.';

export const SCRIPTS: readonly Judgement[] = [
  ...judge('src/store/scripts/lease-tokens-1.lua', AGAIN, [
    ['local was_ahead = arrival > latest', 'local was_ahead = arrival >= latest'],
  ]),
  ...judge('src/store/scripts/confirm-common-4.lua', AGAIN, [
    ['if uses ~= ARGV[3] then', 'if true then'],
    ['if uses ~= ARGV[3] then', 'if uses ~= ARGV[2] then'],
  ]),
  ...judge('src/store/scripts/holds.include.lua', AGAIN, [['if is_summed then', 'if true then']]),
  ...judge('src/store/scripts/confirm-common-4.lua', ANEW, [
    ['drop_holds(KEYS[1], KEYS[2], KEYS[3], { ARGV[1] })', 'drop_holds(KEYS[2], KEYS[2], KEYS[3], { ARGV[1] })'],
  ]),
  ...judge('src/store/scripts/hold-common-6.lua', ANEW, [
    ['drop_holds(KEYS[2], KEYS[3], KEYS[4], { ARGV[1] })', 'drop_holds(KEYS[1], KEYS[3], KEYS[4], { ARGV[1] })'],
  ]),
  ...judge('src/store/scripts/holds.include.lua', ANEW, [
    ['if is_counted(hold_key, held_key, due_key) then', 'if true then'],
  ]),
  ...judge('src/store/scripts/adopt-member-3.lua', BOUND, [
    [
      'elseif added > 0 and lifetime ~= -1 and added > lifetime then',
      'elseif added >= 0 and lifetime ~= -1 and added > lifetime then',
    ],
    [
      'elseif added > 0 and lifetime ~= -1 and added > lifetime then',
      'elseif added > 1 and lifetime ~= -1 and added > lifetime then',
    ],
    [
      'elseif added > 0 and lifetime ~= -1 and added > lifetime then',
      'elseif added > 0 and lifetime ~= -1 and added >= lifetime then',
    ],
  ]),
  ...judge('src/store/scripts/age-calculation-n.lua', BOUND, [
    ['hold_ended = ends <= now and 1 or 0', 'hold_ended = ends < now and 1 or 0'],
  ]),
  ...judge('src/store/scripts/age.include.lua', BOUND, [
    ['if left < 0 then', 'if left <= 0 then'],
    ['if left < 0 then', 'if left < 1 then'],
  ]),
  ...judge('src/store/scripts/book-return-3.lua', BOUND, [
    [
      `redis.call('PEXPIRE', KEYS[2], math.max(1, redis.call('PTTL', KEYS[1])))`,
      `redis.call('PEXPIRE', KEYS[2], math.max(2, redis.call('PTTL', KEYS[1])))`,
    ],
  ]),
  ...judge('src/store/scripts/commit-calculation-9.lua', BOUND, [
    ['if now > tonumber(ARGV[3]) then', 'if now >= tonumber(ARGV[3]) then'],
  ]),
  ...judge('src/store/scripts/consumption.include.lua', BOUND, [
    [
      'elseif lifetime_ms ~= -1 and ends > now + lifetime_ms then',
      'elseif lifetime_ms ~= -1 and ends >= now + lifetime_ms then',
    ],
    [
      `if ends and tonumber(redis.call('HGET', use_key, usage .. '!end') or ends) <= now then`,
      `if ends and tonumber(redis.call('HGET', use_key, usage .. '!end') or ends) < now then`,
    ],
  ]),
  ...judge('src/store/scripts/end-common-6.lua', BOUND, [
    ['if not over or tonumber(over) > now then', 'if not over or tonumber(over) >= now then'],
  ]),
  ...judge('src/store/scripts/expire-calculation-4.lua', BOUND, [
    ['if left > 0 then', 'if left >= 0 then'],
    ['if left > 0 then', 'if left > 1 then'],
  ]),
  ...judge('src/store/scripts/forget-due-1.lua', BOUND, [
    ['if noted and tonumber(noted) <= now_ms() then', 'if noted and tonumber(noted) < now_ms() then'],
  ]),
  ...judge('src/store/scripts/settle-sale-n.lua', BOUND, [
    ['if now > tonumber(deadline_ms) then', 'if now >= tonumber(deadline_ms) then'],
  ]),
  ...judge('src/store/scripts/pieces.include.lua', CONTIGUOUS, [['until not parts[8]', 'until not parts[7]']]),
  ...judge('src/store/scripts/add-cost-rows-1.lua', EMPTY, [
    [`for word in string.gmatch(before or '', '%S+') do`, `for word in string.gmatch(before or 'x', '%S+') do`],
  ]),
  ...judge('src/store/scripts/hold-common-6.lua', EMPTY, [
    [
      `local sums, hold = {}, id ~= '' and redis.call('HGET', KEYS[2], id)`,
      `local sums, hold = {}, id ~= 'x' and redis.call('HGET', KEYS[2], id)`,
    ],
  ]),
  ...judge('src/store/scripts/holds.include.lua', EMPTY, [
    [
      `each_use(hold and string.match(hold, '^%d+ (.*)$') or '', function(usage, units)`,
      `each_use(hold and string.match(hold, '^%d+ (.*)$') or 'x', function(usage, units)`,
    ],
  ]),
  ...judge('src/store/scripts/lead-index-1.lua', EMPTY, [
    [
      `local member, rest = string.match(present or '', '^(%S+)( .*)$')`,
      `local member, rest = string.match(present or 'x', '^(%S+)( .*)$')`,
    ],
  ]),
  ...judge('src/store/scripts/mark-claim-1.lua', EMPTY, [
    [`local present = redis.call('GET', KEYS[1]) or ''`, `local present = redis.call('GET', KEYS[1]) or 'x'`],
  ]),
  ...judge('src/store/scripts/consumption.include.lua', FAR, [
    ['local FARTHEST_MS = 731.5 * 86400000', 'local FARTHEST_MS = 731.5 * 86400001'],
  ]),
  ...judge('src/store/scripts/adopt-member-3.lua', OVER, [
    [
      `units = math.max(units, tonumber(redis.call('HGET', KEYS[2], usage) or 0))`,
      `units = math.max(units, tonumber(redis.call('HGET', KEYS[2], usage) or 1))`,
    ],
  ]),
  ...judge('src/store/scripts/periods.include.lua', OVER, [
    [
      `return string.find(usage, ':%d*%-%d[^!]*$') and 0 or nil`,
      `return string.find(usage, ':%d*%-%d[^!]*$') and 1 or nil`,
    ],
  ]),
  ...judge('src/store/scripts/sold.include.lua', PAIRS2, [
    [
      'for number = 0, stored and (#stored - 1) / 64 or -1 do',
      'for number = 0, stored and (#stored - 1) / 64 or -2 do',
    ],
  ]),
  ...judge('src/store/scripts/read-common-5.lua', SAME, [
    [
      `local held = has_few(KEYS[2]) and count_holds(KEYS[2], now, function() end) or read_held(KEYS[2], KEYS[3], KEYS[4], now)`,
      `local held = has_few(KEYS[1]) and count_holds(KEYS[2], now, function() end) or read_held(KEYS[2], KEYS[3], KEYS[4], now)`,
    ],
  ]),
  ...judge('src/store/scripts/read-counters-4.lua', SAME, [
    [
      `elseif redis.call('HLEN', KEYS[3]) > MOST_READ and is_counted(KEYS[2], KEYS[3], KEYS[4]) and #due_holds(KEYS[4], now) == 0 then`,
      'elseif false then',
    ],
    [
      `elseif redis.call('HLEN', KEYS[3]) > MOST_READ and is_counted(KEYS[2], KEYS[3], KEYS[4]) and #due_holds(KEYS[4], now) == 0 then`,
      `elseif redis.call('HLEN', KEYS[2]) > MOST_READ and is_counted(KEYS[2], KEYS[3], KEYS[4]) and #due_holds(KEYS[4], now) == 0 then`,
    ],
    [
      `elseif redis.call('HLEN', KEYS[3]) > MOST_READ and is_counted(KEYS[2], KEYS[3], KEYS[4]) and #due_holds(KEYS[4], now) == 0 then`,
      `elseif redis.call('HLEN', KEYS[3]) >= MOST_READ and is_counted(KEYS[2], KEYS[3], KEYS[4]) and #due_holds(KEYS[4], now) == 0 then`,
    ],
    [
      `elseif redis.call('HLEN', KEYS[3]) > MOST_READ and is_counted(KEYS[2], KEYS[3], KEYS[4]) and #due_holds(KEYS[4], now) == 0 then`,
      `elseif redis.call('HLEN', KEYS[3]) <= MOST_READ and is_counted(KEYS[2], KEYS[3], KEYS[4]) and #due_holds(KEYS[4], now) == 0 then`,
    ],
    [
      `elseif redis.call('HLEN', KEYS[3]) > MOST_READ and is_counted(KEYS[2], KEYS[3], KEYS[4]) and #due_holds(KEYS[4], now) == 0 then`,
      `elseif redis.call('HLEN', KEYS[3]) > MOST_READ and is_counted(KEYS[1], KEYS[3], KEYS[4]) and #due_holds(KEYS[4], now) == 0 then`,
    ],
    [
      `elseif redis.call('HLEN', KEYS[3]) > MOST_READ and is_counted(KEYS[2], KEYS[3], KEYS[4]) and #due_holds(KEYS[4], now) == 0 then`,
      `elseif redis.call('HLEN', KEYS[3]) > MOST_READ and is_counted(KEYS[2], KEYS[2], KEYS[4]) and #due_holds(KEYS[4], now) == 0 then`,
    ],
  ]),
  ...judge('src/store/scripts/confirm-common-4.lua', UNUSED, [['return 0', 'return 1']]),
  ...judge('src/store/scripts/holds.include.lua', UNUSED, [['return 0', 'return 1']]),
  ...judge('src/store/scripts/periods.include.lua', YEARS, [
    ['local era = math.floor(shifted / 400)', 'local era = math.floor(shifted / 401)'],
  ]),
];
