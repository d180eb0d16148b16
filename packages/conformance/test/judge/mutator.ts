/**
 * A seeded mutator of answers: from right exchanges of every kind it makes wrong ones, each by one change of a field, a
 * header, the status or a rule. A change that the interface permits is no fault; `PERMITTED` lists those.
 */
import type { Random } from '../../../../packages/simulator/src/random.ts';
import { withTotals } from '../../../../test/support/right-answer.ts';
import type { AppliedBody, BasketBody, LineOutBody } from '../../../../test/support/wire.ts';
import type { Exchange } from '../../src/kit/exchange.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Path = readonly (string | number)[];

export interface Mutation {
  /** The place, with positions as `*`, and the kind of change. */
  readonly what: string;
  readonly exchange: Exchange;
}

/** What another value of a field may be, by the interface: each row is permitted and no fault. */
export const PERMITTED: readonly { readonly what: RegExp; readonly because: string }[] = [
  {
    what: /^\/(?:memberLabel|receiptFooterText|lines\/\*\/lineDiscountText): (?:removed|other text|empty|respelled|cut|trimmed|composed)$/,
    because: 'free texts, optional',
  },
  { what: /^\/lines\/\*\/showLineDiscountText: flipped$/, because: 'the service chooses what is printed' },
  {
    what: /^\/reason: (?:other text|respelled|cut|long)$/,
    because: 'new values of reason may be added (interface, section 9)',
  },
  { what: /^\/orderDiscounts\/\*\/(?:text|campaignId|percent): /, because: 'a staff order discount may be changed' },
  { what: /^\/error\/message: (?:other text|empty|long|respelled|cut)$/, because: 'for logs only' },
  { what: /^\/error\/docUrl: /, because: 'additive' },
  { what: /^\/error\/details/, because: 'free-form except for arithmetic_mismatch' },
  { what: /^\/result: other known$/, because: 'the right one depends on the history; checks test it' },
  {
    what: /^\/error\/code: other of its status$/,
    because: 'the right code depends on the request; checks test it',
  },
  { what: /^header Server-Timing: less$/, because: 'a service may be faster' },
  { what: /^header Idempotent-Replayed: (?:added|removed)$/, because: 'it depends on the history; checks test it' },
  { what: /^header Strict-Transport-Security: /, because: 'required with TLS only' },
  { what: /^header (?:X-Other|Allow): added$/, because: 'headers may be added' },
];

const LONG = 300;

/** Every change of a value, by name. */
function changesOf(value: Json, random: Random): [how: string, value: Json | undefined][] {
  const always: [string, Json | undefined][] = [
    ['removed', undefined],
    ['null', null],
  ];
  if (typeof value === 'number') {
    const step = random.between(1, 9);
    const others = { more: value + step, less: value - step, negative: -value - 1, fraction: value + 0.123 };
    return [...always, ...Object.entries(others), ['as text', String(value)]];
  }
  if (typeof value === 'boolean')
    return [...always, ['flipped', !value], ['as text', String(value)], ['as number', Number(value)]];
  if (typeof value === 'string') {
    const respelled: [string, string][] = [
      ['respelled', value.toUpperCase()],
      ['respelled', value.toLowerCase()],
      ['trimmed', value.trim()],
      ['composed', value.normalize('NFC')],
      ['cut', value.slice(0, -1)],
    ];
    return [
      ...always,
      ['other text', `${value}x`],
      ['empty', ''],
      ['long', value.padEnd(LONG, 'x')],
      ...respelled.filter(([, other]) => other !== value && other !== ''),
      ['as number', random.between(1, 99)],
      ['as list', [value]],
    ];
  }
  if (!Array.isArray(value)) return [...always, ['as list', []], ['as text', 'object']];
  const at = random.between(0, Math.max(0, value.length - 1));
  const changed: [string, Json][] = [
    ['one less', value.toSpliced(at, 1)],
    ['one twice', [...value, value[at] as Json]],
  ];
  return [...always, ...(value.length > 0 ? changed : []), ['one foreign', [...value, 1]], ['as object', {}]];
}

function placesOf(value: Json, path: Path = []): [Path, Json][] {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const own = path.length > 0 ? ([[path, value]] as [Path, Json][]) : [];
  return [
    ...own,
    ...entries.flatMap(([name, entry]) =>
      placesOf(entry as Json, [...path, Array.isArray(value) ? Number(name) : name]),
    ),
  ];
}

function withValue(body: Json, path: Path, value: Json | undefined): Json {
  const copy = structuredClone(body);
  let parent = copy as Record<string | number, Json>;
  for (const name of path.slice(0, -1)) parent = parent[name] as Record<string | number, Json>;
  const last = path.at(-1)!;
  if (value !== undefined) parent[last] = value;
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
  return copy;
}

function bodyMutations(exchange: Exchange, random: Random): Mutation[] {
  const body = exchange.body as Json;
  const changed = (what: string, other: Json): Mutation => {
    return { what, exchange: { ...exchange, body: other, bytes: Buffer.from(JSON.stringify(other)) } };
  };
  const unreadable = (what: string, bytes: Buffer) => ({ what, exchange: { ...exchange, bytes, body: undefined } });
  return [
    ...placesOf(body).flatMap(([path, value]) => {
      const place = `/${path.map((name) => (typeof name === 'number' ? '*' : name)).join('/')}`;
      return changesOf(value, random).map(([how, other]) => changed(`${place}: ${how}`, withValue(body, path, other)));
    }),
    changed('/: a VAT field', { ...(body as object), vatTotal: 1 }),
    unreadable('/: cut', exchange.bytes.subarray(0, -1)),
    unreadable('/: empty', Buffer.alloc(0)),
    ...ruleChanges(exchange.request as BasketBody, body as unknown as AppliedBody, random).map(([what, other]) =>
      changed(`rule: ${what}`, other as unknown as Json),
    ),
  ];
}

const STATUSES = [200, 201, 204, 302, 400, 401, 404, 409, 418, 422, 429, 500, 502, 503];
const MORE_HEADERS = Object.entries({ 'Retry-After': '1', Allow: 'GET', 'X-Other': 'x' });

function frameMutations(exchange: Exchange, random: Random): Mutation[] {
  const { headers, roundTripMs } = exchange;
  const changed = (what: string, others: Exchange['headers']): Mutation => {
    return { what: `header ${what}`, exchange: { ...exchange, headers: others } };
  };
  const put = (name: string, how: string, value: string): Mutation => {
    return changed(`${name}: ${how}`, [...headers.filter(([known]) => known !== name), [name, value]]);
  };
  const timing = (how: string, ms: number): Mutation => put('Server-Timing', how, `app;dur=${ms}`);
  return [
    ...STATUSES.filter((status) => status !== exchange.status && !isOfSameCode(exchange, status)).map((status) => {
      return { what: `status ${exchange.status}: other`, exchange: { ...exchange, status } };
    }),
    ...headers.flatMap((header, index) => [
      changed(`${header[0]}: removed`, headers.toSpliced(index, 1)),
      changed(`${header[0]}: twice`, [...headers, header]),
      put(header[0], 'garbage', 'garbage'),
      put(header[0], 'empty', ''),
    ]),
    ...MORE_HEADERS.filter(([name]) => headers.every(([known]) => known !== name)).map(([name, value]) =>
      put(name, 'added', value),
    ),
    timing('less', 0),
    timing('more than waited', roundTripMs + random.between(10, 900)),
    timing('negative', -1),
    put('X-Request-Id', 'another', crypto.randomUUID()),
  ];
}

/** `invalid_request` travels under several statuses. */
function isOfSameCode({ body }: Exchange, status: number): boolean {
  const code = (body as { error?: { code?: string } }).error?.code;
  return code === 'invalid_request' && [400, 404, 422].includes(status);
}

/** Changes after which everything still adds up: only a rule about baskets finds them. */
function ruleChanges(request: BasketBody, right: AppliedBody, random: Random): [what: string, body: AppliedBody][] {
  if (right.lines === undefined) return [];
  const at = random.between(0, right.lines.length - 1);
  const sent = request.lines[at]!;
  const isPlain = sent.existingLineDiscountAmount === 0 && sent.orderDiscountAllocation.length === 0;
  const isOpen = !sent.noDiscount && !sent.noPercentageDiscount;
  const given = right.lines[at]!.lineDiscountAmount;
  const isDiscounted = isOpen && isPlain && given > 1;
  const none = { lineDiscountType: 'none', lineDiscountPercent: undefined, lineDiscountCode: undefined };
  const touched = sent.noDiscount
    ? { lineDiscountType: 'amount' }
    : { lineDiscountType: 'percent', lineDiscountPercent: 20 };
  const asAmount = { lineDiscountType: 'amount', lineDiscountPercent: undefined };
  type Change = (line: LineOutBody, lines: LineOutBody[]) => unknown;
  const changes: [isPossible: boolean, what: string, change: Change][] = [
    [isDiscounted, 'a discount is one less, as an amount', (line) => give(Object.assign(line, asAmount), -1)],
    [
      isDiscounted,
      'a discount is one more, as an amount',
      (line) => give(Object.assign(line, asAmount), Math.min(1, line.orderLinePrice)),
    ],
    [
      isDiscounted,
      'a discount is left out',
      (line) => Object.assign(line, { ...sent, ...none, lineDiscountAmount: 0 }),
    ],
    [isDiscounted, 'half the percentage', (line) => give(Object.assign(line, asAmount), -Math.floor(given / 2))],
    [
      !isOpen && sent.orderLinePrice > 2,
      'a protected line is discounted',
      (line) => give(Object.assign(line, { ...touched, lineDiscountCode: 'loyalty' }), 1),
    ],
    [right.lines.length > 1 && isPlain && isOpen, 'a line is gone', (_, lines) => lines.splice(at, 1)],
    [true, 'a line comes twice', (line, lines) => lines.push(structuredClone(line))],
    [true, 'a line is renamed', (line) => Object.assign(line, { lineId: 'renamed' })],
    [
      true,
      'a line has more pieces',
      (line) => {
        line.quantity += 1;
        line.originalLinePrice += line.unitPrice;
        line.orderLinePrice += line.unitPrice;
      },
    ],
    [
      true,
      'an added line without its flag',
      (line, lines) => lines.push({ ...structuredClone(line), lineId: 'added' }),
    ],
    [
      sent.orderDiscountAllocation.length > 0,
      'a share is moved',
      (line) => {
        line.orderDiscountAllocation[0]!.orderDiscountAllocationAmount += 1;
        line.orderLinePrice -= 1;
      },
    ],
    [true, 'the parent is another line', (line) => Object.assign(line, { parentLineId: 'nobody' })],
  ];
  return changes
    .filter(([isPossible]) => isPossible)
    .map(([, what, change]) => {
      const body = structuredClone(right);
      change(body.lines[at]!, body.lines);
      return [what, withTotals(request, body)];
    });
}

function give(line: LineOutBody, more: number): void {
  line.lineDiscountAmount += more;
  line.orderLinePrice -= more;
}

/** Every single change of an exchange, with values that the seed decides. */
export function mutationsOf(exchange: Exchange, random: Random): Mutation[] {
  return [...bodyMutations(exchange, random), ...frameMutations(exchange, random)];
}

export function isPermitted({ what }: Mutation): boolean {
  return PERMITTED.some((row) => row.what.test(what));
}
