/** Without LOYALTY_SECRETS a staging service makes itself a secret, once, that only its owner can read. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeSecret } from '@loyalty/contract/secret';
import { afterAll, expect, test } from 'vitest';
import { loadOpsTokens, loadSecrets } from '../../src/process/secrets.ts';
import { readSettings } from '../../src/settings.ts';
import { basketOf } from '../support/baskets.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { Service } from '../support/service.ts';
import { useSharedService } from '../support/shared-service.ts';
import { newSecret } from '../support/signer.ts';

afterAll(cleanUp);

const stage = useSharedService();

/** The path that the banner names, and what stands in that file. */
function secretOf(service: Service): { path: string; secret: string } {
  const path =
    service.output.map((line) => /secret\s+(\/\S+)/.exec(line)?.[1]).find((found) => found !== undefined) ?? '';
  return { path, secret: readFileSync(path, 'utf8').trim() };
}

test('it is 32 random bytes in a file of mode 0600, read again by the next start and printed nowhere', async () => {
  const dataDirectory = temporaryDirectory();
  const service = await Service.start({ dataDirectory, env: { LOYALTY_SECRETS: '' } });
  const { path, secret } = secretOf(service);
  expect(path.startsWith(dataDirectory)).toBe(true);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect((await service.newCaller({ secret, isPatient: true }).basket(basketOf())).json().status).toBe('applied');
  expect((await service.newCaller({ secret: newSecret() }).basket(basketOf())).status).toBe(401);
  expect(service.output.join('\n')).not.toContain(secret);
  expect(await service.stop()).toEqual({ code: 0, signal: null });
  const again = loadSecrets(readSettings({ DATA_DIR: dataDirectory }), 'staging');
  expect(again).toEqual({ secrets: [decodeSecret(secret)], stagingFile: path });
});

test('with LOYALTY_SECRETS none is made', () => {
  const files = readdirSync(stage.service.dataDirectory, { recursive: true }).map(String);
  expect(files.filter((name) => name.includes('secret'))).toEqual([]);
});

test('an empty file is told, and not taken for a secret or a token', () => {
  const dataDirectory = temporaryDirectory();
  for (const name of ['secret', 'ops-token']) writeFileSync(join(dataDirectory, name), '\n');
  const settings = readSettings({ DATA_DIR: dataDirectory });
  expect(() => loadSecrets(settings, 'staging')).toThrow(`${join(dataDirectory, 'secret')}`);
  expect(() => loadSecrets(settings, 'staging')).toThrow('found an empty file');
  expect(() => loadOpsTokens(settings, 'staging')).toThrow('found an empty file');
});
