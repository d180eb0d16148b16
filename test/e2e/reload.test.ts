/** SIGHUP reads the configuration again: a good file takes over as a whole, a bad one is refused and the old one stays. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BERGEN, basketOf, OSLO } from '../support/baskets.ts';
import { patiently } from '../support/caller.ts';
import { type Configuration, configurationOf, memberOf, type Programme, TWENTY } from '../support/configuration.ts';
import { useSharedService } from '../support/shared-service.ts';
import { sleep, until } from '../support/wait.ts';
import type { AppliedBody } from '../support/wire.ts';

const stage = useSharedService();

const outcomes = () =>
  stage.service.log.filter(({ msg, cause }) => /^reload/.test(String(msg)) && cause === 'signal').length;

/** Its line may be later than what it changes, and would be taken for that of the next reload. */
async function reload(configuration: Configuration | string): Promise<void> {
  const text = typeof configuration === 'string' ? configuration : JSON.stringify(configuration);
  const before = outcomes();
  writeFileSync(join(stage.service.dataDirectory, 'environment.yaml'), text);
  await stage.service.kill('SIGHUP');
  await until('the outcome', () => outcomes() > before);
}

/** What the member saves on 100.00; undefined when the call is refused or the basket unchanged. */
async function savings(loyaltyId = 'member-twenty', more: object = {}): Promise<number | undefined> {
  const answer = await stage.caller.basket(basketOf([{}], { loyaltyId, ...more }));
  return answer.status === 200 ? answer.json<AppliedBody>().totals?.loyaltyDiscountTotal : undefined;
}

test('benefits, venues and members change under load, and no call fails', async () => {
  expect(await savings()).toBe(2_000);
  const next = configurationOf({
    programme: { benefits: [{ ...TWENTY, percent: 30 }] },
    members: [memberOf('member-twenty', ['twenty']), memberOf('member-new', ['twenty'])],
  });
  next.venues = next.venues.filter((venue) => venue.venueId !== BERGEN.venueId);
  const seen = new Set<string>();
  let isOver = false;
  const load = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const answer = await patiently(() => stage.caller.basket(basketOf()));
      const { status, totals } = answer.json<AppliedBody>();
      seen.add(`${answer.status} ${status} ${totals?.loyaltyDiscountTotal}`);
    }
  });
  await reload(next);
  await until('the new percentage', async () => (await savings()) === 3_000);
  await until('the new member', async () => (await savings('member-new')) === 3_000);
  isOver = true;
  await Promise.all(load);
  expect([...seen].sort()).toEqual(['200 applied 2000', '200 applied 3000']);
  const refused = await stage.caller.basket(basketOf([{}], { context: BERGEN }));
  expect(refused.code).toBe('venue_not_configured');
});

test.each([
  ['no YAML', 'venues: ['],
  ['nothing', ''],
  [
    'periods that contradict each other',
    JSON.stringify({
      ...configurationOf(),
      calculation: { holdMinutes: 30, idempotencyHours: 24, retentionDays: 0.5 },
    }),
  ],
  ['a fault in a benefit', JSON.stringify(configurationOf({ programme: { benefits: [{ ...TWENTY, percent: 120 }] } }))],
])('a file with %s is refused, and the old configuration stays', async (_, text) => {
  await reload(
    configurationOf({ programme: { benefits: [{ ...TWENTY, percent: 40 }] }, members: [memberOf('m', ['twenty'])] }),
  );
  await until('the configuration before', async () => (await savings('m')) === 4_000);
  const before = stage.service.output.length;
  await reload(text);
  await until('a word in the log', () =>
    stage.service.log.slice(-5).some((line) => line.level === 'error' || line.level === 'warn'),
  );
  await sleep(200);
  expect(stage.service.output.length).toBeGreaterThan(before);
  expect(await savings('m')).toBe(4_000);
  expect(await stage.service.readiness()).toBe(200);
});

test('what was answered before replays after', async () => {
  const basket = basketOf([{}], { context: OSLO });
  const answer = await stage.caller.basket(basket);
  await reload(configurationOf());
  await until('the first configuration', async () => (await savings('member-single')) === 2_000);
  const again = await stage.caller.basket(basket);
  expect([again.isReplayed, again.text]).toEqual([true, answer.text]);
});

/** The time of the processor that a process or a thread has used, by Linux' account in ticks of 10 ms. */
function busyMs(path: string): number {
  const fields = readFileSync(`/proc/${path}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

test('calls are answered while a configuration of 2 MB is checked, which happens beside the event loop', async () => {
  const configuration = configurationOf();
  const [programme] = configuration.programmes as [Programme];
  // Of another programme, which no basket of the test prices.
  const benefits = Array.from({ length: 5_500 }, (_, index) => ({ ...TWENTY, benefitId: `benefit-${index}` }));
  configuration.programmes.push({ ...programme, programmeId: 'large', benefits });
  const caller = stage.service.newCaller({ isPatient: true });
  const [gateway] = stage.service.gateways as [number];
  const [primary, eventLoop] = [String(stage.service.pid), `${gateway}/task/${gateway}`];
  const startMs = busyMs(primary);
  let isReloaded = false;
  const reloading = stage.service.configure(configuration).then(() => {
    isReloaded = true;
  });
  // What a call waits for is counted by the time of the processor that the event loop used: a machine that stands still uses none.
  let longestMs = 0;
  while (!isReloaded) {
    const beganMs = busyMs(eventLoop);
    expect((await caller.basket(basketOf())).status).toBe(200);
    longestMs = Math.max(longestMs, busyMs(eventLoop) - beganMs);
  }
  await reloading;
  // The check is nearly all that the primary does meanwhile.
  expect(longestMs).toBeLessThan((busyMs(primary) - startMs) / 3);
});
