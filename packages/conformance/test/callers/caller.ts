/**
 * A caller's backend, written from the interface page: `caller <habits as JSON>`. It plays every row of a double once and reports
 * each sale. It judges answers rightly, because it looks the outcome up in the table; its habits are about retries alone.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { type ClientRequest, type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';

export interface Habits {
  readonly baseUrl: string;
  readonly secretHex: string;
  /** A basket without its calculation and loyalty IDs, that every row can spoil. */
  readonly basket: object;
  /** Attempts of a basket call by what became of the one before. */
  readonly attempts: {
    readonly afterNoConnection: number;
    readonly afterTimeout: number;
    readonly afterSending: number;
  };
  /** Patience for one attempt, in rows whose right outcome is a time-out. */
  readonly patienceMs: number;
  readonly minimumEventDelayMs: number;
  readonly honoursRetryAfter: boolean;
  /** One for all attempts, where it is given. */
  readonly requestId?: string;
}

interface Row {
  readonly code: string;
  readonly endpoint: 'basket' | 'sale';
  readonly provoke: string;
  readonly right: unknown;
}

interface Attempted {
  readonly kind: 'answered' | 'no-connection' | 'timeout' | 'lost';
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly body?: string;
}

const habits = JSON.parse(process.argv[2] ?? '{}') as Habits;
/** Longer than a machine stands still: a right answer never comes too late. */
const LONG_MS = 20_000;
const EVENT_HANG_MS = 2_000;
const RETRY_PAUSE_MS = 100;
const MOST_EVENT_ATTEMPTS = 10;
const PARALLEL = 12;
const FINAL = ['recorded', 'duplicate', 'unknown_calculation'];

async function main(): Promise<void> {
  const rows = (await (await fetch(`${habits.baseUrl}/double/misbehaviours`)).json()) as Row[];
  // A row of the connection disturbs every other call, so these come one by one.
  const isDisturbing = ({ provoke }: Row) => provoke.startsWith('before the call');
  for (const row of rows.filter(isDisturbing)) await playConnection(row);
  const rest = rows.filter((row) => !isDisturbing(row));
  const workers = Array.from({ length: PARALLEL }, async () => {
    for (let row = rest.shift(); row; row = rest.shift()) await playRow(row);
  });
  await Promise.all(workers);
}

async function playConnection(row: Row): Promise<void> {
  await fetch(`${habits.baseUrl}/double/next`, { method: 'POST', body: row.code });
  const address = row.code.startsWith('tls-') ? habits.baseUrl.replace('http:', 'https:') : habits.baseUrl;
  await sellOnce(row, address, LONG_MS);
}

async function playRow(row: Row): Promise<void> {
  const isTimeout = JSON.stringify(row.right).includes('timeout');
  await sellOnce(row, habits.baseUrl, isTimeout ? habits.patienceMs : LONG_MS);
}

async function sellOnce(row: Row, address: string, patienceMs: number): Promise<void> {
  const calculationId = randomUUID();
  const basket = { ...habits.basket, calculationId, loyaltyId: `misbehave-${row.code}` };
  const requestedAt = new Date().toISOString();
  const last = await callBasket(address, JSON.stringify({ ...basket, requestedAt }), calculationId, patienceMs);
  while (!(await isUp())) await pause(20);
  const outcome = outcomeOf(row, last);
  const event = { calculationId, transactionId: `receipt-${row.code}`.slice(0, 64), ...outcome };
  await reportSale(JSON.stringify(event), calculationId, row.code === 'sale-hang' ? EVENT_HANG_MS : LONG_MS);
}

/** The table says what is right; what a row leaves open, and a late answer that was used, are seen by the attempt. */
function outcomeOf({ endpoint, right }: Row, { kind, status }: Attempted): object {
  const permitted =
    endpoint === 'sale' ? [{ status: 'applied' }] : (right as { status: string; failureReason?: string }[]);
  const isUsed = kind === 'answered' && status === 200 && JSON.stringify(permitted).includes('timeout');
  if (isUsed) return { status: 'applied' };
  if (permitted.length === 1) return permitted[0]!;
  if (kind === 'answered' && permitted.some((one) => one.status === 'applied')) return { status: 'applied' };
  return permitted.find(({ failureReason }) => failureReason === 'connection_error') ?? permitted[0]!;
}

async function callBasket(address: string, body: string, key: string, patienceMs: number): Promise<Attempted> {
  const { afterNoConnection, afterTimeout, afterSending } = habits.attempts;
  for (let made = 1; ; made += 1) {
    const last = await attempt(`${address}/v1/pos/basket`, body, key, patienceMs);
    const isAnswered = last.kind === 'answered' && last.status === 200;
    const permitted = { 'no-connection': afterNoConnection, timeout: afterTimeout, lost: afterSending };
    const most = last.kind === 'answered' ? afterSending : permitted[last.kind];
    if (isAnswered || made >= most) return last;
    await pause(RETRY_PAUSE_MS);
  }
}

async function reportSale(body: string, key: string, patienceMs: number): Promise<void> {
  for (let made = 1; made <= MOST_EVENT_ATTEMPTS; made += 1) {
    const last = await attempt(`${habits.baseUrl}/v1/pos/sale`, body, key, patienceMs);
    const { status = 0, retryAfterMs = 0 } = last;
    if (status === 200 && FINAL.some((result) => last.body?.includes(`"${result}"`))) return;
    if (status >= 400 && status < 500 && status !== 429) return;
    const delayMs = habits.minimumEventDelayMs * 2 ** (made - 1);
    await pause(habits.honoursRetryAfter ? Math.max(delayMs, retryAfterMs) : delayMs);
  }
}

/** A connection for each attempt: one that is kept may be closed at the very moment of the next call. */
function attempt(url: string, body: string, key: string, patienceMs: number): Promise<Attempted> {
  const isSecure = url.startsWith('https:');
  const agent = isSecure ? new SecureAgent({ rejectUnauthorized: true }) : new PlainAgent();
  const t = Math.floor(Date.now() / 1000);
  const hmac = createHmac('sha256', Buffer.from(habits.secretHex, 'hex'));
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Idempotency-Key': key,
    'X-Request-Id': habits.requestId ?? randomUUID(),
    'POS-Signature': `t=${t},v1=${hmac.update(`${t}.${body}`).digest('hex')}`,
  };
  return new Promise((resolve) => {
    const send = isSecure ? secureRequest : plainRequest;
    let isSent = false;
    const call: ClientRequest = send(url, { agent, method: 'POST', headers });
    const end = (result: Attempted): void => {
      clearTimeout(timer);
      call.destroy();
      resolve(result);
    };
    const timer = setTimeout(end, patienceMs, { kind: 'timeout' });
    call.on('socket', (socket) => socket.once(isSecure ? 'secureConnect' : 'connect', () => (isSent = true)));
    call.on('error', () => end({ kind: isSent ? 'lost' : 'no-connection' }));
    call.on('response', (response) => void readAnswer(response).then(end, () => end({ kind: 'lost' })));
    call.end(body);
  });
}

async function readAnswer(response: IncomingMessage): Promise<Attempted> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  const retryAfterMs = Number(response.headers['retry-after'] ?? 0) * 1000;
  const body = Buffer.concat(chunks).toString();
  return { kind: 'answered', status: response.statusCode ?? 0, retryAfterMs, body };
}

function isUp(): Promise<boolean> {
  return fetch(`${habits.baseUrl}/double/misbehaviours`).then(
    ({ ok }) => ok,
    () => false,
  );
}

await main();
