/** A file that the user of the service may not read is named with its variable, and not as the operating system says it. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { runNode } from '../support/run-node.ts';
import { newSecret } from '../support/signer.ts';

afterAll(cleanUp);

const folder = temporaryDirectory();
const [forbidden, parts, closed, broken] = ['forbidden', 'parts', 'closed', 'broken'].map((name) =>
  join(folder, name),
) as [...[string, string, string, string]];
const data = join(folder, 'data');
for (const path of [parts, closed, broken, data]) mkdirSync(path);
for (const path of [forbidden, join(parts, 'venues.yaml'), join(data, 'secret')]) writeFileSync(path, newSecret());
writeFileSync(join(closed, 'environment.yaml'), 'environment: staging\n');
symlinkSync(join(folder, 'nothing'), join(broken, 'environment.yaml'));
for (const path of [forbidden, closed, join(parts, 'venues.yaml'), join(data, 'secret')]) chmodSync(path, 0);
for (const path of [folder, data, parts]) chmodSync(path, 0o777);

/** What the start of a service says, up to its secrets, run by a user who is not root. */
async function refusalOf(variables: Record<string, string>): Promise<string> {
  const start = `
    import { readSettings } from './src/settings.ts';
    import { loadSecrets } from './src/process/secrets.ts';
    import { readConfiguration } from './src/programme/read.ts';
    if (process.getuid() === 0) process.setuid(65534);
    try {
      const settings = readSettings(JSON.parse(process.env.VARIABLES));
      loadSecrets(settings, 'staging');
      readConfiguration(settings.environmentFile);
      console.log('started');
    } catch (error) {
      console.log(error.message);
    }`;
  return await runNode(start, { VARIABLES: JSON.stringify({ DATA_DIR: data, ...variables }) });
}

const secret = { LOYALTY_SECRETS: newSecret() };
const mayNotRead = (variable: string, path: string) =>
  `${variable}: the user of this process may not read ${JSON.stringify(path)}`;

test.each<[string, Record<string, string>, string]>([
  ['secrets', { LOYALTY_SECRETS_FILE: forbidden }, mayNotRead('LOYALTY_SECRETS_FILE', forbidden)],
  ['a configuration', { ...secret, LOYALTY_CONFIG: forbidden }, mayNotRead('LOYALTY_CONFIG', forbidden)],
  ['a folder of them', { ...secret, LOYALTY_CONFIG: closed }, mayNotRead('LOYALTY_CONFIG', closed)],
  [
    'one file of a folder',
    { ...secret, LOYALTY_CONFIG: parts },
    mayNotRead('LOYALTY_CONFIG', join(parts, 'venues.yaml')),
  ],
  [
    'a file in a folder that is closed',
    { ...secret, LOYALTY_CONFIG: join(closed, 'environment.yaml') },
    mayNotRead('LOYALTY_CONFIG', join(closed, 'environment.yaml')),
  ],
  [
    'a link to nothing',
    { ...secret, LOYALTY_CONFIG: broken },
    `LOYALTY_CONFIG: the file ${JSON.stringify(join(broken, 'environment.yaml'))} does not exist`,
  ],
  [
    'a certificate',
    { ...secret, TLS_CERT_FILE: forbidden, TLS_KEY_FILE: forbidden },
    mayNotRead('TLS_CERT_FILE', forbidden),
  ],
  [
    'a password',
    { ...secret, REDIS_URL: 'redis://redis', REDIS_PASSWORD_FILE: forbidden },
    mayNotRead('REDIS_PASSWORD_FILE', forbidden),
  ],
  ['the secret of another user', {}, mayNotRead('DATA_DIR', join(data, 'secret'))],
  [
    'a folder in the place of secrets',
    { LOYALTY_SECRETS_FILE: parts },
    `LOYALTY_SECRETS_FILE: ${JSON.stringify(parts)} cannot be read (EISDIR)`,
  ],
])('%s', async (_, variables, words) => {
  expect(await refusalOf(variables)).toBe(words);
});

test('what can be read starts', async () => {
  expect(await refusalOf(secret)).toBe('started');
});
