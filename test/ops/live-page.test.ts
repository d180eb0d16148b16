/** The live page's files, and the figures that it is fed with. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { rememberedOf } from '../../packages/console/src/live/feed.ts';
import type { LiveFigures } from '../../packages/console/src/live/figures.ts';
import { History } from '../../packages/console/src/pages/live/history.ts';
import type { RefusalNote } from '../../src/telemetry/recent-refusals.ts';
import { basketOf } from '../support/baskets.ts';
import { configurationOf, memberOf, TWENTY } from '../support/configuration.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/wait.ts';
import { openEventStream, openEventStreams } from './event-stream.ts';

const LOYALTY_ID = 'member-of-the-live-page';
const stage = useService({
  isPatient: false,
  configuration: configurationOf({
    programme: { benefits: [TWENTY] },
    members: [memberOf(LOYALTY_ID, [TWENTY.benefitId])],
  }),
});
const get = (path: string) => fetch(`${stage.service.opsUrl}${path}`);

test('the page and all that it names come from the listener, each with its type', async () => {
  const page = await get('/');
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const html = await page.text();
  const named = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path as string);
  expect(named.length).toBeGreaterThan(3);
  const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };
  const seen = new Set<string>();
  for (const path of named) await follow(path);
  expect(seen).toContain('/assets/charts.js');

  async function follow(path: string): Promise<void> {
    if (seen.has(path)) return;
    seen.add(path);
    const file = await get(path);
    expect([path, file.status]).toEqual([path, 200]);
    expect(file.headers.get('content-type')).toBe(`${types[path.split('.').at(-1) ?? '']}; charset=utf-8`);
    const text = await file.text();
    if (!path.endsWith('.js')) return;
    for (const [, name] of text.matchAll(/^import .*from '\.\/([\w.-]+)';$/gm)) await follow(`/assets/${name}`);
    expect([path, /^(?:import type|interface|type) |\): \w+ \{$/m.test(text)]).toEqual([path, false]);
  }
});

test('the page may load nothing from elsewhere and runs nothing that is inline', async () => {
  const page = await get('/');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  const html = await page.text();
  // One inline script may be there: the import map, by its digest.
  const [, map = ''] = /<script type="importmap">(.*?)<\/script>/.exec(html) ?? [];
  const digest = createHash('sha256').update(map).digest('base64');
  expect(policy).toContain(`script-src 'self' 'sha256-${digest}';`);
  const { imports } = JSON.parse(map) as { imports: Record<string, string> };
  for (const path of Object.values(imports)) expect([path, (await get(path)).status]).toEqual([path, 200]);
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(html).not.toMatch(/\son\w+=|\sstyle=|<style|https?:\/\//);
  expect(html).not.toMatch(/<script(?![^>]*(?:\ssrc=|type="importmap"))/);
});

test('what is not a file of the page is not there', async () => {
  for (const path of [
    '/assets/',
    '/assets/tsconfig.json',
    '/assets/main.ts',
    '/assets/..%2flive.ts',
    '/assets/__proto__',
    '/index.html',
  ]) {
    expect([path, (await get(path)).status]).toEqual([path, 404]);
  }
});

test('the stream tells calls, and refusals with their reason but without whom they are about', async () => {
  const stream = await openEventStream(`${stage.service.opsUrl}/live`);
  try {
    const first = await stream.next<LiveFigures>('figures');
    expect(first).toMatchObject({ environment: 'staging', isRedisUp: true, workers: 1, red: {} });
    expect(first.budget).toEqual({ p95Ms: 150, p99Ms: 250 });

    await stage.caller.basket(basketOf([{}], { loyaltyId: LOYALTY_ID }));
    const wrong = basketOf([{}], { loyaltyId: LOYALTY_ID });
    wrong.totals = { ...wrong.totals, total: 1 };
    const refused = await stage.caller.basket(wrong);
    const figures = await until('the calls to be told', async () => {
      const told = await stream.next<LiveFigures>('figures');
      return told.calls.length >= 2 && told;
    });
    const answered = { route: '/v1/pos/basket', status: 200, code: 'none', count: expect.any(Number) };
    expect(figures.calls).toContainEqual(answered);
    expect(figures.events['Baskets answered with a benefit']).toBeGreaterThan(0);
    expect(figures.latency['/v1/pos/basket']?.p99Ms).toBeGreaterThan(0);

    const [note] = await until('the refusal to be told', async () => {
      const told = await stream.next<RefusalNote[]>('refusals');
      return told.length > 0 && told;
    });
    expect(note).toMatchObject({
      code: 'arithmetic_mismatch',
      status: 422,
      field: '/totals/total',
      expected: 10_000,
      received: 1,
      venueId: 'oslo-central',
      calculationId: wrong.calculationId,
      requestId: refused.header('x-request-id'),
      count: 1,
    });
    const once = await (await get('/live')).text();
    expect(JSON.parse(once).refusals).toContainEqual(note);
    expect(once).not.toContain(LOYALTY_ID);
    expect(once).not.toMatch(/v1=/);
  } finally {
    stream.close();
  }
});

test('a page that is opened later is told of the seconds before', async () => {
  const before = await liveFigures();
  await stage.caller.basket(basketOf());
  await until('two readings after the call', async () => {
    const stream = await openEventStream(`${stage.service.opsUrl}/live`);
    const history = await stream.next<LiveFigures[]>('history');
    stream.close();
    const counts = history.map(({ calls }) => answeredOf(calls));
    const isAscending = history.every(({ atMs }, index) => atMs > (history[index - 1]?.atMs ?? 0));
    expect(isAscending).toBe(true);
    return counts.filter((count) => count === answeredOf(before.calls) + 1).length >= 2;
  });
});

async function liveFigures(): Promise<LiveFigures> {
  return (await (await get('/live')).json()) as LiveFigures;
}

function answeredOf(calls: LiveFigures['calls']): number {
  return calls.find(({ route, status }) => route === '/v1/pos/basket' && status === 200)?.count ?? 0;
}

test('the history is five minutes long, and keeps codes and events of the last one alone', async () => {
  const figures = await liveFigures();
  const calls = [
    { route: '/v1/pos/basket', status: 200, code: 'none', count: 5 },
    { route: '/v1/pos/basket', status: 422, code: 'unknown_currency', count: 2 },
  ];
  const history = new History();
  for (let second = 1; second <= 400; second += 1) {
    history.add({ ...figures, calls, events: { replayed: second }, atMs: second * 1000 });
  }
  const readings = rememberedOf(history);
  expect([readings[0]?.atMs, readings.at(-1)?.atMs]).toEqual([100_000, 400_000]);
  expect(readings).toHaveLength(301);
  const whole = readings.filter(({ events }) => events['replayed'] !== undefined);
  expect(whole[0]?.atMs).toBe(335_000);
  expect(whole.every((reading) => reading.calls === calls)).toBe(true);
  const sums = readings.map((reading) => reading.calls.reduce((sum, { count }) => sum + count, 0));
  expect(new Set(sums)).toEqual(new Set([7]));
});

test('a clock that is set back neither lengthens the history nor hides what comes', async () => {
  const figures = await liveFigures();
  const history = new History();
  const days = 7 * 86_400_000;
  for (const atMs of [1_000, 2_000, days, days + 1_000, 3_000, 4_000, 4_000]) {
    history.add({ ...figures, atMs });
  }
  expect(history.readings.map(({ atMs }) => atMs)).toEqual([3_000, 4_000]);
});

test('a viewer too many is refused', async () => {
  const streams = await openEventStreams(`${stage.service.opsUrl}/live`, 32);
  try {
    const answer = await fetch(`${stage.service.opsUrl}/live`, { headers: { accept: 'text/event-stream' } });
    expect(answer.status).toBe(503);
    await answer.text();
  } finally {
    for (const stream of streams) stream.close();
  }
  const [stream] = await openEventStreams(`${stage.service.opsUrl}/live`, 1);
  stream?.close();
});
