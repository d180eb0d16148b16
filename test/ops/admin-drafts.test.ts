/** A draft of the configuration from beginning to end: its files, what is wrong with it, what it would change and cost, and in force. */
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { temporaryDirectory } from '../support/cleanup.ts';
import { configurationOf, memberOf, TWENTY } from '../support/configuration.ts';
import { useService } from '../support/service.ts';
import { newSecret } from '../support/signer.ts';
import { sleep, until } from '../support/wait.ts';
import { askPatiently } from './admin-client.ts';

const TOKENS = { desk: 'a-token-of-the-desk-of-the-tests', ola: 'a-token-of-ola-of-the-tests' };
const settingsOf = (percent: number) => ({
  programme: { benefits: [{ ...TWENTY, percent }] },
  members: [memberOf('guest', ['twenty'])],
});
const configuration = configurationOf(settingsOf(20));
const records = join(temporaryDirectory(), 'baskets.ndjson');
const secret = newSecret();
const secretsFile = join(temporaryDirectory(), 'secrets');
writeFileSync(secretsFile, secret);
const stage = useService({
  configuration,
  secrets: [secret],
  env: {
    ...{ OPS_TOKEN: `desk:write:${TOKENS.desk},ola:${TOKENS.ola}`, RECORD_FILE: records, RECORD_SAMPLE: '1' },
    ...{ LOYALTY_SECRETS_FILE: secretsFile, LOYALTY_SECRETS: '' },
  },
});

interface Files {
  readonly version: string;
  readonly isWritable: boolean;
  readonly isRecorded: boolean;
  readonly files: readonly { readonly name: string; readonly text: string }[];
}
interface AnyAnswer {
  readonly version: string;
  readonly report: string;
  readonly faults: readonly Record<string, unknown>[];
  readonly warnings: readonly Record<string, unknown>[];
  readonly differences: readonly { readonly text: string }[];
  readonly error: { readonly code: string; readonly message: string; readonly details?: { faults: readonly object[] } };
  readonly changes: readonly { action: string; who?: string; note?: string; version?: string }[];
}

const call = <T = AnyAnswer>(words: string, body?: unknown, ifMatch?: string, token = TOKENS.ola) =>
  askPatiently<T>(stage.service.opsUrl, words, {
    token,
    ...(body !== undefined && { body }),
    ...(ifMatch && { ifMatch }),
  });
const readFiles = async () => (await call<Files>('GET /admin/configuration/files')).body;
const put = (text: string, ifMatch: string, note = 'Cheaper on Mondays', token = TOKENS.ola) =>
  call('PUT /admin/configuration/files', { text, note }, ifMatch, token);
const path = () => join(stage.service.dataDirectory, 'environment.yaml');
const draftOf = (percent: number) => JSON.stringify(configurationOf(settingsOf(percent)));

test('the files in force are read as they are', async () => {
  const { files, isWritable, isRecorded } = await readFiles();
  expect([isWritable, isRecorded]).toEqual([true, true]);
  expect(files).toEqual([{ name: path(), text: readFileSync(path(), 'utf8') }]);
});

test('a draft is checked with the place of every error, and compared in words', async () => {
  const sound = await call('POST /admin/configuration/check', { text: draftOf(25), file: path() });
  expect(sound.body).toMatchObject({ faults: [], differences: [{ text: 'Twenty: 20 % → 25 %' }] });
  const faulty = await call('POST /admin/configuration/check', { text: draftOf(250), file: path() });
  expect(faulty.body.faults).toMatchObject([{ file: path(), line: 1, path: 'programmes[0].benefits[0].percent' }]);
  const broken = await call('POST /admin/configuration/check', { text: '{', file: path() });
  expect(broken.body).toMatchObject({ faults: [{ line: 1 }], differences: [] });
  for (const [body, message] of [
    [{ file: path() }, /^text: found nothing/],
    [{ text: '', file: 'other.yaml' }, /^file: found "other.yaml"/],
    ['{', /JSON/],
  ] as const) {
    const { status, body: answer } = await call('POST /admin/configuration/check', body);
    expect([status, answer.error.message]).toEqual([400, expect.stringMatching(message)]);
  }
});

test('a draft is put in force with its note and author, and the file before is kept', async () => {
  const { version, files } = await readFiles();
  chmodSync(path(), 0o640);
  const { status, body } = await put(draftOf(25), `"${version}"`);
  expect([status, body.version]).not.toContain(version);
  expect(status).toBe(200);
  const written = readFileSync(path(), 'utf8');
  expect(JSON.parse(written)).toMatchObject({ note: 'Cheaper on Mondays', ...JSON.parse(draftOf(25)) });
  expect(readFileSync(`${path()}.before`, 'utf8')).toBe(files[0]!.text);
  expect(statSync(path()).mode & 0o777).toBe(0o640);
  const priced = await stage.caller.basket(basketOf([{ unitPrice: 1000 }], { loyaltyId: 'guest' }));
  expect(priced.json()).toMatchObject({ totals: { total: 750 } });
  const { changes } = (await call('GET /admin/configurations')).body;
  expect(changes[0]).toMatchObject({
    action: 'configuration',
    who: 'ola',
    note: 'Cheaper on Mondays',
    version: body.version,
  });
  expect(changes.filter(({ version: of }) => of === body.version)).toHaveLength(1);
});

test('of two drafts of one version one comes into force, and the other is told why not', async () => {
  const { version } = await readFiles();
  const answers = await Promise.all([put(draftOf(30), `"${version}"`), put(draftOf(35), `"${version}"`)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412]);
  const refused = answers.find(({ status }) => status === 412);
  expect(refused?.body.error.message).toMatch(/has come into force since the draft was made/);
  const now = (await readFiles()).version;
  expect([now, ...answers.map(({ body }) => body.version)]).toContain(now);
});

test('nothing is written without a note, a right, a version or a sound draft, nor over a file that somebody has changed', async () => {
  const { version, files } = await readFiles();
  const before = files[0]!.text;
  const tag = `"${version}"`;
  expect((await put(draftOf(40), tag, ' ')).body.error.message).toMatch(
    /^note: found " ", allowed: a text of 1 to 500/,
  );
  expect((await put(draftOf(40), tag, 'mine', TOKENS.desk)).status).toBe(403);
  expect((await put(draftOf(40), '')).status).toBe(412);
  const faulty = await put(draftOf(400), tag);
  expect([faulty.status, faulty.body.error.details?.faults.length]).toEqual([422, 1]);
  const earlier = readFileSync(`${path()}.before`, 'utf8');
  const renamed = await put(draftOf(40).replace('"staging"', '"staging-other"'), tag);
  expect([renamed.status, renamed.body.error.details?.faults]).toMatchObject([422, [{ path: 'environment' }]]);
  // A sound draft that cannot be put in force, because other files are not sound.
  writeFileSync(secretsFile, 'no secret');
  const reloaded = await put(draftOf(40), tag);
  writeFileSync(secretsFile, secret);
  expect([reloaded.status, reloaded.body.error.message]).toEqual([
    422,
    expect.stringMatching(/old configuration stays/),
  ]);
  expect(readFileSync(path(), 'utf8')).toBe(before);
  expect(readFileSync(`${path()}.before`, 'utf8')).toBe(earlier);
  writeFileSync(path(), `${before} `);
  const edited = await put(draftOf(40), tag);
  expect([edited.status, edited.body.error.code]).toEqual([412, 'precondition_failed']);
  expect(readFileSync(path(), 'utf8')).toBe(`${before} `);
  writeFileSync(path(), before);
  expect(existsSync(join(stage.service.dataDirectory, `.environment.yaml.${stage.service.pid}.new`))).toBe(false);
});

test('a deployment that writes the file while a draft is reviewed is not overwritten', async () => {
  // The review of so many members takes a second or more, and the look at the disk before it an instant. A machine that stands still for
  // that time lets the draft come first, and the deployment after it.
  const many = Array.from({ length: 3_000 }, (_, at) => memberOf(`guest-${at}`, ['twenty']));
  const draft = JSON.stringify({ ...configuration, members: many });
  const { version, files } = await readFiles();
  const restore = async () => {
    writeFileSync(path(), files[0]!.text);
    await until('the file of before', async () => {
      await call('POST /admin/configuration/reload');
      return (await readFiles()).version === version;
    });
  };
  const deployMeanwhile = async () => {
    const earlier = readFileSync(`${path()}.before`, 'utf8');
    const answer = put(draft, `"${version}"`);
    await sleep(300);
    writeFileSync(path(), draftOf(45));
    const { status, body } = await answer;
    const written = [path(), `${path()}.before`].map((file) => readFileSync(file, 'utf8'));
    await restore();
    return { status, code: body.error?.code, isKept: written[0] === draftOf(45) && written[1] === earlier };
  };
  let answer = await deployMeanwhile();
  for (let times = 1; times < 4 && answer.status === 200; times += 1) answer = await deployMeanwhile();
  expect(answer).toEqual({ status: 412, code: 'precondition_failed', isKept: true });
});

test('member prices are changed in the text of a draft', async () => {
  const rows = [{ programmeId: 'coffee-club', benefitId: 'bun', productIds: ['4712'], unitPrice: 2500 }];
  const { status, body } = await call<{ text: string; prices: unknown }>('POST /admin/configuration/prices', {
    text: draftOf(20),
    rows,
  });
  expect([status, body.prices]).toEqual([200, rows]);
  expect((await call('POST /admin/configuration/check', { text: body.text })).body.faults).toEqual([]);
  for (const [row, message] of [
    [{ ...rows[0], unitPrice: 2.5 }, /^rows\[0\].unitPrice: found 2.5/],
    [{ ...rows[0], unitPrice: { kr: 5 } }, /^rows\[0\].unitPrice: found the unknown field "kr"/],
    [{ ...rows[0], productIds: undefined }, /^rows\[0\]: found no productIds or no unitPrice/],
    [{ ...rows[0], programmeId: 'none' }, /has no programme none/],
  ] as const) {
    const refused = await call('POST /admin/configuration/prices', { text: draftOf(20), rows: [row] });
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringMatching(message)]);
  }
});

test('a draft is tried on the baskets that were recorded', async () => {
  const basket = basketOf([{ unitPrice: 1000 }], { loyaltyId: 'guest' });
  await stage.caller.basket(basket);
  await stage.caller.sale(saleOf(basket.calculationId));
  const ready = async () => {
    const answer = await call('POST /admin/configuration/backtest', { text: draftOf(50) }, undefined, TOKENS.desk);
    return /0 priced by both/.test(answer.body.report ?? '') || answer.status === 409 ? undefined : answer;
  };
  const { status, body } = await until('a record', ready, 60_000);
  expect([status, body.report]).toEqual([200, expect.stringMatching(/twenty/)]);
  const faulty = await call('POST /admin/configuration/backtest', { text: draftOf(500) });
  expect([faulty.status, faulty.body.error.message]).toEqual([422, expect.stringMatching(/percent/)]);
});
