/**
 * Each rule for the caller through the packed package, as a vendor has it: as CommonJS on the oldest Node, the first that can
 * require an ES module, and as TypeScript on the newest.
 */
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { OTHER_NODES, provideOtherNode } from '../../../../test/support/other-nodes.ts';
import { OutsideProject } from '../../../../test/support/outside-project.ts';
import type { Misbehaviour } from '../../../conformance/src/double/misbehaviour.ts';
import { CONTROL } from '../../../conformance/src/double/provocation.ts';
import { ServiceDouble } from '../../../conformance/src/double/service-double.ts';
import { GIFT } from '../../../conformance/src/double/spoil.ts';
import { LOYALTY_ID_PREFIX, MISBEHAVIOURS } from '../../../conformance/src/double/table.ts';
import type { Verdict } from '../../../conformance/src/double/verdict.ts';
import { ATTEMPT_MS, CAP_MS, endsByTime, richBasket, SECRET, SLACK_MS } from '../fixture.ts';

const project = new OutsideProject('client');
const source = readFileSync(join(import.meta.dirname, 'till.ts'), 'utf8');
const rows = Object.entries(MISBEHAVIOURS);
const guestOf = (code: string): string =>
  MISBEHAVIOURS[code]!.act.kind === 'connection' ? `guest-${code}` : LOYALTY_ID_PREFIX + code;
const guests = Object.fromEntries(
  rows.map(([code, row]) => [
    guestOf(code),
    { armed: row.act.kind === 'connection' ? code : null, endsByTime: endsByTime(row) },
  ]),
);

interface Played {
  readonly calculationId: string;
  readonly status: string;
  readonly failureReason?: string;
  readonly receipt: unknown;
  readonly waitedMs: number;
  readonly attempts: number;
  readonly isOwnBasket: boolean;
  readonly isUntouched: boolean;
  readonly ending: string;
}

/** As the compiler emits it, strictly checked against the package's own declarations. */
async function asTypeScript(): Promise<string> {
  project.write('till.ts', source);
  const flags = ['--outDir', 'built', '--noEmit', 'false', '--erasableSyntaxOnly'];
  expect(await project.check('till.ts', 'node16', flags)).toBe('');
  return 'built/till.js';
}

/** As somebody writes it who uses neither types nor modules. */
async function asCommonJs(): Promise<string> {
  const plain = stripTypeScriptTypes(source);
  const required = plain.replaceAll(
    /^import \{([^}]*)\} from ('[^']+');$/gm,
    (_whole, names: string, from: string) => `const {${names.replaceAll(' as ', ': ')}} = require(${from});`,
  );
  expect(required).not.toMatch(/^import /m);
  project.write('till.cjs', required);
  return 'till.cjs';
}

async function play(file: string, node: string): Promise<{ played: unknown; verdict: Verdict }> {
  const run = crypto.randomUUID();
  const outbox = join(project.folder, `outbox-${run}.log`);
  const double = await ServiceDouble.start({ secret: SECRET });
  try {
    const { baseUrl } = double;
    const orders = { baseUrl, secret: SECRET.toString('base64'), outbox, basket: richBasket(''), gift: GIFT, guests };
    project.write(`orders-${run}.json`, JSON.stringify({ ...orders, controlPath: CONTROL.next }));
    const played: unknown = JSON.parse(await project.run(file, [`orders-${run}.json`], {}, node));
    return { played, verdict: double.verdict() };
  } finally {
    await double.close();
  }
}

/** All that is wrong with the order that met a misbehaviour, undefined when nothing is. */
function findFault(row: Misbehaviour, order: Played): unknown {
  const { status, failureReason, receipt, waitedMs, ...rest } = order;
  const isConnection = row.act.kind === 'connection';
  // What was sent is sent once; only a connection that fails before that is tried a second time.
  const mostAttempts = isConnection ? 2 : 1;
  const isRight = [
    row.endpoint === 'sale'
      ? rest.ending === row.right
      : row.right.some(
          (right) =>
            right.status === status && ('failureReason' in right ? right.failureReason : undefined) === failureReason,
        ) && rest.ending !== undefined,
    waitedMs < (endsByTime(row) ? ATTEMPT_MS + SLACK_MS : CAP_MS),
    rest.attempts <= mostAttempts,
    rest.isOwnBasket === (status !== 'applied') && rest.isUntouched,
    isDeepStrictEqual(receipt, { outcome: 'queued', isDurable: true }),
  ];
  return isRight.every(Boolean) ? undefined : { what: row.what, isRight, order };
}

const [OLDEST, NEWEST] = OTHER_NODES;

// The runs wait far more than they work, so they wait together.
test.concurrent.each([
  ['CommonJS', asCommonJs, OLDEST],
  ['TypeScript', asTypeScript, NEWEST],
] as const)('in %s', async (_language, write, version) => {
  const { played: told, verdict } = await play(await write(), await provideOtherNode(version));
  const { tls, nowhere, found, ...played } = told as Record<string, unknown>;
  expect(rows.flatMap(([code, row]) => findFault(row, played[guestOf(code)] as Played) ?? [])).toEqual([]);
  expect(tls).toEqual({ status: 'failed', failureReason: 'connection_error', attempts: 1 });
  // Nobody listens there, so nothing was sent, and the one retry is due.
  expect(nowhere).toEqual({ status: 'failed', failureReason: 'connection_error', attempts: 2 });
  expect(found).toEqual(['repeated true', 0]);
  // A port that refuses does not see its second attempt; `nowhere` counts both. And the till calls by plain HTTP.
  const judged = verdict.rows.filter(({ code }) => code !== 'refuse-once' && !code.startsWith('tls-'));
  expect(judged.filter((row) => row.verdict !== 'right')).toEqual([]);
});

test('an older Node is refused in words, by import and by require', async () => {
  project.write('old.js', `await import('loyalty-basket-client');`);
  project.write('old.cjs', `require('loyalty-basket-client');`);
  for (const file of ['old.js', 'old.cjs']) {
    await expect(project.run(file, [], {}, await provideOtherNode('18.20.8'))).rejects.toThrow(
      /loyalty-basket-client needs Node (?:>=)?20\.19(?:\.0)?.*; this is 18\.20\.8/,
    );
  }
});
