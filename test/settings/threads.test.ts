/** The default number of pricing threads follows the machine, however many processes share it. */
import { afterAll, expect, test } from 'vitest';
import { startupBanner } from '../../src/primary/startup-banner.ts';
import { readSettings } from '../../src/settings.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';

afterAll(cleanUp);

const DATA_DIR = temporaryDirectory();

test.each([
  { cores: 1, env: {}, processes: 1, workers: 1 },
  { cores: 2, env: {}, processes: 1, workers: 1 },
  { cores: 4, env: {}, processes: 2, workers: 1 },
  { cores: 16, env: {}, processes: 8, workers: 1 },
  { cores: 16, env: { PROCESSES: '1' }, processes: 1, workers: 15 },
  { cores: 16, env: { PROCESSES: '3' }, processes: 3, workers: 5 },
  { cores: 4, env: { PROCESSES: '8' }, processes: 8, workers: 1 },
  { cores: 16, env: { WORKERS: '4' }, processes: 8, workers: 4 },
])('$cores cores, $env: $processes processes of $workers threads', ({ cores, env, processes, workers }) => {
  expect(readSettings({ DATA_DIR, ...env }, cores)).toMatchObject({ processes, workers });
});

test.each([
  [{ PROCESSES: '1' }, 2, '1 process with 1 pricing thread, on 2 cores'],
  [{ PROCESSES: '1' }, 16, '1 process with 15 pricing threads, on 16 cores'],
  [{}, 16, '8 processes, each with 1 pricing thread, on 16 cores'],
])('the banner says what was started: %j on %i cores', (env, cores, line) => {
  const addresses = { environment: 'staging', baseUrl: 'http://127.0.0.1:8080', opsUrl: 'http://127.0.0.1:9090' };
  const files = { secretFile: undefined, opsTokenFile: undefined };
  expect(startupBanner({ ...readSettings({ DATA_DIR, ...env }, cores), ...addresses, ...files })).toContain(
    `  started     ${line}\n`,
  );
});
