/** A process notes each configuration that it runs, in the order in which they came into force. */
import { expect, test } from 'vitest';
import { ConfigurationKeeper } from '../../src/primary/configuration-keeper.ts';
import type { InForce } from '../../src/primary/in-force.ts';
import { checkEnvironment } from '../../src/programme/load.ts';
import { sourceOf } from '../../src/programme/source.ts';
import { readConfigurations } from '../../src/store/configuration-history.ts';
import { configurationOf, memberOf } from '../support/configuration.ts';
import { useFixture } from './fixture.ts';

const fixture = useFixture();
const log = { warn: (facts: object) => expect(facts).toBe('never'), info: () => undefined } as never;

function inForceWith(members: number): InForce {
  const file = configurationOf({ members: Array.from({ length: members }, (_, at) => memberOf(`guest-${at}`)) });
  const source = sourceOf(JSON.stringify(file), 'environment.yaml');
  return { checked: checkEnvironment(source), source, store: fixture.store } as InForce;
}

test('what is kept slowly is not noted after what came into force later', async () => {
  const [large, small] = [inForceWith(20_000), inForceWith(1)];
  let inForce = large;
  const keeper = new ConfigurationKeeper(() => inForce, fixture.store.connection, log);
  try {
    const first = keeper.keep();
    // The first has begun when the files are reloaded.
    await Promise.resolve();
    inForce = small;
    await Promise.all([first, keeper.keep()]);
    const noted = (await readConfigurations(fixture.store)).map(({ version }) => version);
    expect(noted).toEqual([large.checked.version, small.checked.version]);
  } finally {
    keeper.close();
  }
});
