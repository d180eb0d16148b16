/** A file that the user of the service may not read is named with its variable, and not as the operating system says it. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
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

const secret = { LOYALTY_SECRETS: newSecret() };
const mayNotRead = (variable: string, path: string) =>
  `${variable}: the user of this process may not read ${JSON.stringify(path)}`;

const cases: readonly (readonly [name: string, variables: Record<string, string>, words: string])[] = [
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
  ['what can be read', secret, 'started'],
];

/** What the start of a service says of each, up to its secrets, run by a user who is not root. */
let said: readonly string[];
beforeAll(async () => {
  const starts = `
    import { readSettings } from './src/settings.ts';
    import { loadSecrets } from './src/process/secrets.ts';
    import { readConfiguration } from './src/programme/load.ts';
    if (process.getuid() === 0) process.setuid(65534);
    const start = (variables) => {
      try {
        const settings = readSettings(variables);
        loadSecrets(settings, 'staging');
        readConfiguration(settings.environmentFile);
        return 'started';
      } catch (error) {
        return error.message;
      }
    };
    console.log(JSON.stringify(JSON.parse(process.env.ALL).map(start)));`;
  const all = cases.map(([, variables]) => ({ DATA_DIR: data, ...variables }));
  said = JSON.parse(await runNode(starts, { ALL: JSON.stringify(all) })) as string[];
});

test.each(cases.map(([name, , words], at) => [name, words, at] as const))('%s', (_, words, at) => {
  expect(said[at]).toBe(words);
});
