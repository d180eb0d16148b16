/**
 * A seeded mutator of answers: from right exchanges of every kind it makes wrong ones, each by one change of a field, a
 * header, the status or a rule. A change that the interface permits is no fault; `PERMITTED` lists those.
 */
import type { Random } from '../../../../packages/simulator/src/random.ts';
import { withTotals } from '../../../../test/support/right-answer.ts';
import type { AppliedBody, BasketBody } from '../../../../test/support/wire.ts';
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
    return [
      ...always,
      ['more', value + step],
      ['less', value - step],
      ['negative', -value - 1],
      ['fraction', value + 0.123],
      ['as text', String(value)],
    ];
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
  if (Array.isArray(value)) {
    const at = random.between(0, Math.max(0, value.length - 1));
    const some: [string, Json][] =
      value.length === 0
        ? []
        : [
            ['one less', value.toSpliced(at, 1)],
            ['one twice', [...value, value[at] as Json]],
          ];
    return [...always, ...some, ['one foreign', [...value, 1]], ['as object', {}]];
  }
  return [...always, ['as list', []], ['as text', 'object']];
}

function* placesOf(value: Json, path: Path = []): Generator<[Path, Json]> {
  if (path.length > 0) yield [path, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, entry] of Object.entries(value)) {
    yield* placesOf(entry as Json, [...path, Array.isArray(value) ? Number(name) : name]);
  }
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

function withBody(exchange: Exchange, body: Json): Exchange {
  return { ...exchange, body, bytes: Buffer.from(JSON.stringify(body)) };
}

function* bodyMutations(exchange: Exchange, random: Random): Generator<Mutation> {
  for (const [path, value] of placesOf(exchange.body as Json)) {
    const place = `/${path.map((name) => (typeof name === 'number' ? '*' : name)).join('/')}`;
    for (const [how, changed] of changesOf(value, random)) {
      yield { what: `${place}: ${how}`, exchange: withBody(exchange, withValue(exchange.body as Json, path, changed)) };
    }
  }
  yield { what: '/: a VAT field', exchange: withBody(exchange, { ...(exchange.body as object), vatTotal: 1 }) };
  yield { what: '/: cut', exchange: unreadable(exchange, exchange.bytes.subarray(0, -1)) };
  yield { what: '/: empty', exchange: unreadable(exchange, Buffer.alloc(0)) };
}

function unreadable(exchange: Exchange, bytes: Buffer): Exchange {
  return { ...exchange, bytes, body: undefined };
}

const STATUSES = [200, 201, 204, 302, 400, 401, 404, 409, 418, 422, 429, 500, 502, 503];

function* frameMutations(exchange: Exchange, random: Random): Generator<Mutation> {
  for (const status of STATUSES) {
    if (status === exchange.status || isOfSameCode(exchange, status)) continue;
    yield { what: `status ${exchange.status}: other`, exchange: { ...exchange, status } };
  }
  const due = [
    ['Retry-After', '1'],
    ['Allow', 'GET'],
    ['X-Other', 'x'],
  ] as const;
  const headers = exchange.headers;
  for (const [index, [name, value]] of headers.entries()) {
    const changed = (text: string): Exchange => ({ ...exchange, headers: headers.with(index, [name, text]) });
    yield { what: `header ${name}: removed`, exchange: { ...exchange, headers: headers.toSpliced(index, 1) } };
    yield { what: `header ${name}: twice`, exchange: { ...exchange, headers: [...headers, [name, value]] } };
    yield { what: `header ${name}: garbage`, exchange: changed('garbage') };
    yield { what: `header ${name}: empty`, exchange: changed('') };
  }
  for (const [name, value] of due) {
    if (headers.some(([known]) => known === name)) continue;
    yield { what: `header ${name}: added`, exchange: { ...exchange, headers: [...headers, [name, value]] } };
  }
  const timing = headers.findIndex(([name]) => name === 'Server-Timing');
  const withTiming = (text: string): Exchange => ({
    ...exchange,
    headers: headers.with(timing, ['Server-Timing', text]),
  });
  yield { what: 'header Server-Timing: less', exchange: withTiming('app;dur=0') };
  yield {
    what: 'header Server-Timing: more than waited',
    exchange: withTiming(`app;dur=${exchange.roundTripMs + random.between(10, 900)}`),
  };
  yield { what: 'header Server-Timing: negative', exchange: withTiming('app;dur=-1') };
  const other = crypto.randomUUID();
  const id = headers.findIndex(([name]) => name === 'X-Request-Id');
  yield {
    what: 'header X-Request-Id: another',
    exchange: { ...exchange, headers: headers.with(id, ['X-Request-Id', other]) },
  };
}

/** `invalid_request` travels under several statuses. */
function isOfSameCode({ body }: Exchange, status: number): boolean {
  const code = (body as { error?: { code?: string } }).error?.code;
  return code === 'invalid_request' && [400, 404, 422].includes(status);
}

/** Changes after which everything still adds up: only a rule about baskets finds them. */
function* ruleMutations(exchange: Exchange, random: Random): Generator<Mutation> {
  const request = exchange.request as BasketBody;
  const right = exchange.body as unknown as AppliedBody;
  if (right.lines === undefined) return;
  const plant = (what: string, change: (body: AppliedBody) => void): Mutation => {
    const body = structuredClone(right);
    change(body);
    return { what: `rule: ${what}`, exchange: withBody(exchange, withTotals(request, body) as unknown as Json) };
  };
  const at = random.between(0, right.lines.length - 1);
  const line = (body: AppliedBody) => body.lines[at]!;
  const sent = request.lines[at]!;
  const isPlain = sent.existingLineDiscountAmount === 0 && sent.orderDiscountAllocation.length === 0;
  const isOpen = !sent.noDiscount && !sent.noPercentageDiscount;
  const given = right.lines[at]!.lineDiscountAmount;
  if (isOpen && isPlain && given > 1) {
    yield plant('a discount is one less, as an amount', (body) => shift(line(body), -1));
    yield plant('a discount is one more, as an amount', (body) =>
      shift(line(body), Math.min(1, line(body).orderLinePrice)),
    );
    yield plant('a discount is left out', (body) =>
      Object.assign(line(body), {
        ...sent,
        lineDiscountType: 'none',
        lineDiscountPercent: undefined,
        lineDiscountCode: undefined,
        lineDiscountAmount: 0,
      }),
    );
    yield plant('half the percentage', (body) => shift(line(body), -Math.floor(given / 2)));
  }
  if (!isOpen && sent.orderLinePrice > 2) {
    yield plant(
      'a protected line is discounted',
      (body) =>
        Object.assign(line(body), {
          lineDiscountType: sent.noDiscount ? 'amount' : 'percent',
          ...(sent.noDiscount ? {} : { lineDiscountPercent: 20 }),
          lineDiscountCode: 'loyalty',
        }) && shift(line(body), 1, true),
    );
  }
  if (right.lines.length > 1 && isPlain && isOpen)
    yield plant('a line is gone', (body) => void body.lines.splice(at, 1));
  yield plant('a line comes twice', (body) => void body.lines.push(structuredClone(line(body))));
  yield plant('a line is renamed', (body) => {
    line(body).lineId = 'renamed';
  });
  yield plant('a line has more pieces', (body) => {
    const more = line(body);
    more.quantity += 1;
    more.originalLinePrice += more.unitPrice;
    more.orderLinePrice += more.unitPrice;
  });
  yield plant(
    'an added line without its flag',
    (body) => void body.lines.push({ ...structuredClone(line(body)), lineId: 'added' }),
  );
  if (sent.orderDiscountAllocation.length > 0) {
    yield plant('a share is moved', (body) => {
      const share = line(body).orderDiscountAllocation[0]!;
      share.orderDiscountAllocationAmount += 1;
      line(body).orderLinePrice -= 1;
    });
  }
  yield plant('the parent is another line', (body) => {
    line(body).parentLineId = 'nobody';
  });
}

function shift(line: AppliedBody['lines'][number], by: number, keepType = false): void {
  line.lineDiscountAmount += by;
  line.orderLinePrice -= by;
  if (keepType) return;
  line.lineDiscountType = 'amount';
  delete line.lineDiscountPercent;
}

/** Every single change of an exchange, in an order and with values that the seed decides. */
export function* mutationsOf(exchange: Exchange, random: Random): Generator<Mutation> {
  yield* bodyMutations(exchange, random);
  yield* frameMutations(exchange, random);
  yield* ruleMutations(exchange, random);
}

export function isPermitted({ what }: Mutation): boolean {
  return PERMITTED.some((row) => row.what.test(what));
}
