/** A configuration of 2 MB is read and checked beside the event loop: calls are answered during its reload. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { configurationOf, TWENTY } from '../support/configuration.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/wait.ts';

const stage = useService();

/** Benefits of another programme, which no basket of the test prices. */
const MANY = 5_500;

test('calls are answered while a large configuration is checked', async () => {
  const configuration = configurationOf();
  const [programme] = configuration.programmes;
  const benefits = Array.from({ length: MANY }, (_, index) => ({ ...TWENTY, benefitId: `benefit-${index}` }));
  const large = { ...programme, programmeId: 'large', benefits };
  const text = JSON.stringify({ ...configuration, programmes: [...configuration.programmes, large] }, null, 2);
  expect(text.length).toBeGreaterThan(1_000_000);
  const isReloaded = () => stage.service.log.some(({ msg }) => msg === 'reloaded');
  const caller = stage.service.newCaller({ isPatient: true });
  let longestMs = 0;
  writeFileSync(join(stage.service.dataDirectory, 'environment.yaml'), text);
  const startMs = performance.now();
  await stage.service.kill('SIGHUP');
  await until('the reload', async () => {
    const beganMs = performance.now();
    expect((await caller.basket(basketOf())).status).toBe(200);
    longestMs = Math.max(longestMs, performance.now() - beganMs);
    return isReloaded();
  });
  const totalMs = performance.now() - startMs;
  // On the event loop, the check alone was nearly all of the reload.
  expect(longestMs).toBeLessThan(totalMs / 3);
});
