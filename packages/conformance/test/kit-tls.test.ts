/** The kit over TLS: whether answers carry Strict-Transport-Security. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { writeCertificate } from '../../../test/support/certificate.ts';
import { temporaryDirectory } from '../../../test/support/cleanup.ts';
import { useSharedService } from '../../../test/support/shared-service.ts';
import { certify } from '../src/kit/certify.ts';
import { honest, onHeaders, type Plant, PlantingProxy } from './planting-proxy.ts';
import { kitOptions } from './run-kit.ts';

const RULE = 'headers.strict-transport';
const stage = useSharedService();
const files = writeCertificate(temporaryDirectory());
const identity = { key: readFileSync(files.key, 'utf8'), cert: readFileSync(files.cert, 'utf8') };

async function outcomeWith(plant: Plant): Promise<readonly (string | undefined)[]> {
  const proxy = await PlantingProxy.start(stage.service.baseUrl, stage.caller.secret, identity);
  try {
    proxy.set(plant);
    const options = kitOptions(proxy.baseUrl, stage.caller.secret, ['--only', 'statuses.applied', '--ca', files.cert]);
    const { results } = await certify(options);
    const row = results.find(({ name }) => name === RULE);
    return [row?.outcome, row?.seen.join()];
  } finally {
    await proxy.stop();
  }
}

function stating(value: string): Plant {
  return onHeaders((headers) => [...headers, ['Strict-Transport-Security', value]]);
}

test('the header is asked for on every answer', async () => {
  expect(await outcomeWith(honest)).toEqual(['failed', expect.stringContaining('Strict-Transport-Security: expected')]);
});

test('a max-age of some time is right, and one of 0 takes the promise back', async () => {
  expect((await outcomeWith(stating('max-age=31536000; includeSubDomains')))[0]).toBe('passed');
  expect((await outcomeWith(stating('max-age=0')))[0]).toBe('failed');
});

test('without TLS nobody asks for it', async () => {
  const options = kitOptions(stage.service.baseUrl, stage.caller.secret, ['--only', 'statuses.applied']);
  const { results, leftOut } = await certify(options);
  expect([...results, ...leftOut].map(({ name }) => name)).not.toContain(RULE);
});
