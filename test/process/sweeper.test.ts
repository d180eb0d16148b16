/** The passes of the primary over what has ended: one that fails begins again, and never beside one that is still running. */
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { InForce } from '../../src/primary/in-force.ts';
import { Sweeper } from '../../src/primary/sweeper.ts';
import type { Connection } from '../../src/redis/connection.ts';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { EVENT_STREAMS } from '../../src/store/keys.ts';
import { useFixture } from '../store/fixture.ts';
import { until } from '../support/wait.ts';

const fixture = useFixture();

test('while grants cannot be swept, a pass over calculations that is under way stays the only one', async () => {
  const { connection, keys } = fixture.store;
  const asked = { grants: 0, calculations: 0 };
  const run: Connection['run'] = (key) => {
    if (key === keys.grantsDue()) {
      asked.grants += 1;
      return Promise.reject(new StoreUnavailable('the master is away'));
    }
    asked.calculations += 1;
    return new Promise(() => undefined);
  };
  const store = { ...fixture.store, connection: Object.create(connection, { run: { value: run } }) as Connection };
  const sweeper = new Sweeper(
    () => ({ store }) as InForce,
    () => undefined,
    pino({ enabled: false }),
  );
  await until('three passes over grants', () => asked.grants >= 3);
  sweeper.close();
  expect(asked.calculations).toBe(EVENT_STREAMS);
});
