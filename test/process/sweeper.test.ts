/** The passes of the primary over what has ended: one that fails begins again, and never beside one that is still running. */
import { COMMIT_MARGIN_MS } from '@loyalty/contract/limits';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { CostEntry } from '../../src/calls/cost-entry.ts';
import type { InForce } from '../../src/primary/in-force.ts';
import { Sweeper } from '../../src/primary/sweeper.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { EVENT_STREAMS } from '../../src/store/keys.ts';
import { ANNA, calculate, makeAllDue, report, useFixture } from '../store/fixture.ts';
import { divertedStore } from '../store/meddled-store.ts';
import { configurationOf } from '../support/configuration.ts';
import { until } from '../support/wait.ts';

const fixture = useFixture();
const ENVIRONMENT = loadEnvironment(JSON.stringify(configurationOf()), 'environment.yaml');

test('while grants cannot be swept, a pass over calculations that is under way stays the only one', async () => {
  const asked = { grants: 0, calculations: 0 };
  const store = divertedStore(fixture.store, (key) => {
    if (key === fixture.store.keys.grantsDue()) {
      asked.grants += 1;
      return Promise.reject(new StoreUnavailable('the master is away'));
    }
    asked.calculations += 1;
    return new Promise(() => undefined);
  });
  const sweeper = new Sweeper(
    () => ({ store, environment: {} }) as InForce,
    () => undefined,
    pino({ enabled: false }),
  );
  await until('three passes over grants', () => asked.grants >= 3);
  void sweeper.close();
  expect(asked.calculations).toBe(EVENT_STREAMS);
});

test('the end waits for a pass that is under way, so that a sale which it was given is counted', async () => {
  const { redis, store } = fixture;
  const given = { programmeId: 'coffee-club', currency: 'NOK', benefits: [] };
  const { calculationId } = (await calculate(fixture, { given })).commit;
  await report(fixture, calculationId, 'applied', { deadline: { remainingMs: () => COMMIT_MARGIN_MS - 1 } });
  await makeAllDue(redis);
  const key = store.keys.calculation(ANNA, calculationId);
  const [reached, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  // The mark is cleared, and its reply is on its way.
  const slow = divertedStore(store, async (own, send) => {
    const isDue = own === key && (await redis.client.hexists(key, 'event')) === 1;
    const reply = await send();
    if (!isDue || (await redis.client.hexists(key, 'event')) === 1) return reply;
    reached.resolve();
    await goesOn.promise;
    return reply;
  });
  const counted: CostEntry[] = [];
  const inForce = { store: slow, environment: ENVIRONMENT } as InForce;
  const sweeper = new Sweeper(
    () => inForce,
    (entry) => counted.push(entry),
    pino({ enabled: false }),
  );
  await reached.promise;
  const closing = sweeper.close();
  goesOn.resolve();
  await closing;
  expect(counted).toMatchObject([{ fate: 'sold', venueId: 'oslo-central' }]);
});
