import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { BasketRequest } from '../contract/basket-request.ts';
import type { BasketResponse } from '../contract/basket-response.ts';
import { signatureHeader } from '../contract/signature.ts';
import { demoBaskets } from './demo-baskets.ts';
import { formatMoney, renderTable } from './table.ts';

/**
 * `npm run demo`: plays a POS backend against the staging service and shows each basket before and after. Uses the
 * service that is running at `--base-url`, or starts one for the time of the demo.
 */

const START_TIMEOUT_MS = 15_000;
const POLL_MS = 100;

const { values } = parseArgs({
  options: {
    'base-url': { type: 'string', default: 'http://127.0.0.1:8080' },
    'secret-file': { type: 'string', default: '.data/secret' },
  },
});
const baseUrl = values['base-url'];
const secretFile = values['secret-file'];

const started = await startUnlessRunning();
try {
  const secret = Buffer.from(readFileSync(secretFile, 'utf8').trim(), 'hex');
  for (const { title, basket } of demoBaskets()) await playCheckout(secret, title, basket);
} catch (error) {
  process.stderr.write(`demo: ${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  started?.kill('SIGTERM');
}

/** One checkout: the basket call, the call again as a retry would send it, and the sale event. */
async function playCheckout(secret: Uint8Array, title: string, basket: BasketRequest): Promise<void> {
  const call = await post(secret, '/v1/pos/basket', basket.calculationId, basket);
  const answer = (await call.json()) as BasketResponse;
  process.stdout.write(
    `\n${title}\n  loyalty ID ${basket.loyaltyId}: ${describe(answer)}, ${call.headers.get('server-timing')}\n\n`,
  );
  process.stdout.write(indent(renderBasket(basket, answer)));
  const retry = await post(secret, '/v1/pos/basket', basket.calculationId, basket);
  const sale = { calculationId: basket.calculationId, status: answer.status, transactionId: randomUUID() };
  const event = (await (await post(secret, '/v1/pos/sale', basket.calculationId, sale)).json()) as { result: string };
  const replayed = retry.headers.get('idempotent-replayed') === 'true' ? 'replayed' : 'not replayed';
  process.stdout.write(`  sent again: ${replayed}; sale event ${sale.status}: ${event.result}\n`);
}

function describe(answer: BasketResponse): string {
  return answer.status === 'unchanged' ? `unchanged (${answer.reason})` : answer.status;
}

function renderBasket(basket: BasketRequest, answer: BasketResponse): string {
  const after = new Map(answer.status === 'applied' ? answer.lines.map((line) => [line.lineId, line]) : []);
  const rows = basket.lines.map((line) => {
    const changed = after.get(line.lineId);
    const price = formatMoney((changed ?? line).orderLinePrice);
    return [
      line.name,
      line.quantity,
      formatMoney(line.orderLinePrice),
      formatMoney(changed?.lineDiscountAmount ?? 0),
      price,
      changed?.lineDiscountText ?? '',
    ];
  });
  const totals = answer.status === 'applied' ? answer.totals : basket.totals;
  rows.push([
    'Total',
    '',
    formatMoney(basket.totals.total),
    formatMoney(totals.loyaltyDiscountTotal),
    formatMoney(totals.total),
    '',
  ]);
  return renderTable(['line', 'quantity', 'before', 'loyalty', 'after', 'note'], rows);
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}

async function post(secret: Uint8Array, path: string, key: string, body: unknown): Promise<Response> {
  const bytes = Buffer.from(JSON.stringify(body));
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'POS-Signature': signatureHeader(secret, Math.floor(Date.now() / 1000), bytes),
      'Idempotency-Key': key,
      'X-Request-Id': randomUUID(),
    },
    body: bytes,
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response;
}

/** Returns the service started for this demo, undefined when one was there. */
async function startUnlessRunning() {
  if (await isListening()) return undefined;
  process.stdout.write(`Nothing answers at ${baseUrl}: starting a service for this demo.\n`);
  const child = spawn(process.execPath, ['src/main.ts'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const endMs = performance.now() + START_TIMEOUT_MS;
  while (!(existsSync(secretFile) && (await isListening()))) {
    if (child.exitCode !== null || performance.now() > endMs) throw new Error('The service did not start.');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return child;
}

function isListening(): Promise<boolean> {
  return fetch(baseUrl).then(
    () => true,
    () => false,
  );
}
