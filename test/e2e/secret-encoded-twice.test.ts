/** A secret that was encoded once too often starts the service with another key than the caller's: the log says so. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { Service } from '../support/service.ts';
import { newSecret } from '../support/signer.ts';
import { until } from '../support/wait.ts';

afterAll(cleanUp);

test('at the start and after a reload, once each, with two processes', async () => {
  const secretsFile = join(temporaryDirectory(), 'secrets');
  const [first, second] = [newSecret(), newSecret()];
  const twice = Buffer.from(`${first}\n`).toString('base64');
  writeFileSync(secretsFile, twice);
  const env = { LOYALTY_SECRETS_FILE: secretsFile, LOYALTY_SECRETS: '', PROCESSES: '2' };
  const service = await Service.start({ secrets: [first], env });
  const warnings = () => service.log.filter(({ msg }) => msg === 'secret').map(({ reason }) => reason);
  const told = (which: string) =>
    `${which} decodes to the text of a secret in hex or base64: it may have been encoded once too often`;
  expect(warnings()).toEqual([told('secret 1 of 1')]);

  writeFileSync(secretsFile, `${second}\n${twice}\n`);
  await until('the reload', () => service.log.some(({ msg }) => msg === 'reloaded'));
  await until('the second warning', () => warnings().length > 1);
  expect(warnings()).toEqual([told('secret 1 of 1'), told('secret 2 of 2')]);
  await service.stop();
});
