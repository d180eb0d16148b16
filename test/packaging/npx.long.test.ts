/** `npx loyalty` with a Node of the system that the service itself could not use: it only starts the project's own. */
import { execFileSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { npmProgram } from '../../scripts/setup/npm.mjs';
import { ROOT } from '../architecture/source.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { OTHER_NODES, provideOtherNode } from '../support/other-nodes.ts';

afterAll(cleanUp);

test('prints nothing but what the command prints', async () => {
  const node = await provideOtherNode(OTHER_NODES[0]);
  const env = {
    ...process.env,
    PATH: `${dirname(node)}${delimiter}${process.env['PATH']}`,
    npm_config_cache: temporaryDirectory(),
  };
  const command = `"${node}" "${npmProgram()}" exec loyalty -- --help 2>&1`;
  const printed = execFileSync('sh', ['-c', command], { cwd: ROOT, env, encoding: 'utf8' });
  expect(printed).toMatch(/^Usage: npx loyalty /);
}, 120_000);
