/** The integration guide's shell commands, executed in their order against a service, as a reader would paste them. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../architecture/source.ts';
import { stagingConfiguration } from '../openapi/support.ts';
import { temporaryDirectory } from '../support/cleanup.ts';
import { useService } from '../support/service.ts';

const stage = useService({ configuration: stagingConfiguration() });
const guide = readFileSync(join(ROOT, 'docs', 'integrating.md'), 'utf8');

/** Blocks marked `sh` belong to one session; those marked `bash` start something that does not end by itself. */
const blocks = [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map((match) => match[1] as string);

test('the commands come to what the guide says', { timeout: 60_000 }, () => {
  const script = ['set -eu', ...blocks].join('\n');
  const env = {
    PATH: process.env.PATH ?? '',
    BASE: stage.service.baseUrl,
    SECRET: stage.caller.secret,
    TMPDIR: temporaryDirectory(),
  };
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', script], { cwd: ROOT, env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout.trim().split('\n')).toEqual([
    '"status":"applied"',
    '"loyaltyDiscountTotal":1560',
    '"total":6240',
    'invalid_signature',
    'stale_timestamp',
    '"field":"/totals/total","expected":7800,"received":7801',
    'Idempotent-Replayed: true',
    'idempotency_conflict',
    'recorded',
    'duplicate',
  ]);
});

test('its links lead somewhere', () => {
  const links = [...guide.matchAll(/\]\(([^)#]+)\)/g)].map((match) =>
    normalize(join(ROOT, 'docs', match[1] as string)),
  );
  expect(links.filter((path) => !existsSync(path))).toEqual([]);
});
