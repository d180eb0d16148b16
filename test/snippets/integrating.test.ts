/** The integration guide's shell commands, executed in their order against a service, as a reader would paste them. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../architecture/source.ts';
import { stagingConfiguration } from '../openapi/support.ts';
import { OPS_TOKEN } from '../ops/admin-client.ts';
import { temporaryDirectory } from '../support/cleanup.ts';
import { useSharedService } from '../support/shared-service.ts';
import { newSecret } from '../support/signer.ts';

const stage = useSharedService(stagingConfiguration());
const guide = readFileSync(join(ROOT, 'docs', 'integrating.md'), 'utf8');

/** Blocks marked `sh` belong to one session; those marked `bash` start something that does not end by itself. */
const blocks = [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map((match) => match[1] as string);

/** A machine that stands still gets a right service to refuse; a reader then pastes once more. */
const MOST_TRIES = 20;

/** Pastes blocks into a shell of their own, and returns what a reader sees. */
function paste(blocks: readonly string[], env: Record<string, string>, shell = 'bash') {
  for (let tries = 1; ; tries += 1) {
    const seen = pasteOnce(blocks, env, shell);
    if (tries === MOST_TRIES || !seen.stdout.includes('"code":"unavailable"')) return seen;
  }
}

function pasteOnce(blocks: readonly string[], env: Record<string, string>, shell: string) {
  const { stdout, stderr, status } = spawnSync(
    shell,
    [...(shell === 'bash' ? ['--norc'] : []), '-c', blocks.join('\n')],
    {
      cwd: ROOT,
      env: { PATH: process.env.PATH ?? '', BASE: stage.service.baseUrl, TMPDIR: temporaryDirectory(), ...env },
      encoding: 'utf8',
    },
  );
  return { stdout, stderr, status };
}

test('the commands come to what the guide says', { timeout: 60_000 }, () => {
  const { stdout, stderr, status } = paste(['set -eu', ...blocks], {
    SECRET: stage.caller.secret,
    OPS: stage.service.opsUrl,
    TOKEN: OPS_TOKEN,
  });
  expect([status, stderr]).toEqual([0, '']);
  const answers = [
    '{"calculationId":.*"status":"applied".*"loyaltyDiscountTotal":1560,"total":6240.* HTTP 200\\n',
    // The last answer on a connection ends in a line end.
    '.*"code":"invalid_signature".*\\r\\n\\n',
    '.*"code":"stale_timestamp".*\\r\\n\\n',
    '.*"field":"/totals/total","expected":7800,"received":7801.* HTTP 422\\n',
    'Idempotent-Replayed: true\\s*\\n',
    '.*"code":"idempotency_conflict".* HTTP 409\\n',
    '{"result":"recorded"} HTTP 200\\n',
    '{"result":"duplicate"} HTTP 200\\n',
    '{"requestId":.*"calculation":.*"state":"sold".*}\\n',
    '{"programmeId":"coffee-club","loyaltyId":"test-member-20",.*"aheadSeconds":86400,.*"answers":\\d+}}\\s*',
    '{"calculationId":.*"status":"applied".* HTTP 200\\n',
    '.*"aheadSeconds":0}\\s*',
  ];
  expect(stdout).toMatch(new RegExp(`^${answers.join('')}$`));
});

const first = blocks.slice(0, 1);

test.each(['bash', 'sh'])('the first block takes the secret as it is handed over, in %s', (shell) => {
  const bytes = Buffer.from(stage.caller.secret, 'hex');
  for (const secret of [`${bytes.toString('hex').toUpperCase()}\n`, ` ${bytes.toString('base64')}\r\n`]) {
    expect(paste(first, { SECRET: secret }, shell)).toMatchObject({
      stdout: expect.stringContaining('"status":"applied"'),
      stderr: '',
    });
  }
});

test('the first block shows why it fails, and never the secret', () => {
  const wrong = newSecret();
  expect(paste(first, { SECRET: wrong }).stdout).toMatch(/"code":"invalid_signature".*\r\n HTTP 401\n$/);
  for (const secret of [wrong.slice(0, 62), `${wrong}0`, 'pässword', 'bm90IGVub3VnaA==']) {
    const { stdout, stderr } = paste(first, { SECRET: secret });
    expect(stderr).toContain('SECRET: 32 bytes or more, hex or base64');
    expect(stdout).toContain('invalid_signature');
    expect(stdout + stderr).not.toContain(secret);
  }
  const { stdout, stderr } = paste(first, { SECRET: wrong, BASE: 'http://127.0.0.1:1' });
  expect([stdout, stderr]).toEqual([' HTTP 000\n', expect.stringContaining('Failed to connect')]);
});

test('its links lead somewhere', () => {
  const links = [...guide.matchAll(/\]\(([^)#]+)\)/g)].map((match) =>
    normalize(join(ROOT, 'docs', match[1] as string)),
  );
  expect(links.filter((path) => !existsSync(path))).toEqual([]);
});
