/** The client as a vendor installs it: from its tarball, in a project of its own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../../scripts/package/build.ts';
import { CONTRACT_PAGES, findLinksToNowhere, OutsideProject } from '../../../test/support/outside-project.ts';
import { until } from '../../../test/support/wait.ts';
import { SECRET, useDouble } from './fixture.ts';

const stage = useDouble();
const project = new OutsideProject('client');

test('the tarball holds the library, its types and what people read', () => {
  const { files } = project;
  const isExpected =
    /^(?:lib\/(?:(?:outbox|contract(?:\/(?:basket|money))?)\/)?[a-z-]+\.(?:js|d\.ts)|index\.cjs|index\.d\.cts|package\.json|docs\/[a-z-]+\.(?:md|json)|README\.md|CHANGELOG\.md|LICENSE)$/;
  expect(files.filter((file) => !isExpected.test(file))).toEqual([]);
  expect(files).toEqual(
    expect.arrayContaining(['lib/index.js', 'lib/index.d.ts', 'README.md', 'CHANGELOG.md', 'LICENSE']),
  );
});

test('the contract is in it, and every link leads somewhere', () => {
  const docs = project.files.filter((file) => file.startsWith('docs/')).sort();
  expect(docs).toEqual([...CONTRACT_PAGES.map((page) => `docs/${page}.md`), 'docs/openapi.json'].sort());
  const { paths } = JSON.parse(readFileSync(join(project.installed, 'docs/openapi.json'), 'utf8'));
  expect(Object.keys(paths)).toEqual(['/v1/pos/basket', '/v1/pos/sale']);
  expect(findLinksToNowhere(project)).toEqual([]);
});

test('the example of the README runs', async () => {
  project.write('till.js', project.exampleOf('js'));
  expect(project.exampleOf('js').match(/^\s*\S/gm)!.length).toBeLessThanOrEqual(10);
  const env = { LOYALTY_URL: stage.double.baseUrl, LOYALTY_SECRET: SECRET.toString('hex') };
  // A till gives a call up after half a second, for which a busy machine may stand still: then it sells once more.
  const told = await until('a call that is not given up', async () => {
    const lines = (await project.run('till.js', [], env)).split('\n');
    return !lines[0]!.startsWith('failed') && lines;
  });
  expect(told).toEqual(['applied 6240', 'settled recorded', '']);
});

test.each([
  ['bun', 'Bun 1.4.5', '1.4.5'],
  ['deno', 'Deno 2.9.6', '2.9.6'],
])('%s is refused in words', async (runtime, name, version) => {
  // What these runtimes say of themselves; their failures without this were seen on the real ones.
  const versions = `{ ...process.versions, ${runtime}: '${version}' }`;
  project.write(
    'other.js',
    `Object.defineProperty(process, 'versions', { value: ${versions} });
    await import('loyalty-basket-client').catch(({ message }) => console.log(message));`,
  );
  expect(await project.run('other.js')).toBe(`loyalty-basket-client needs Node 20.19 or newer; this is ${name}\n`);
});

test('CommonJS can require it, and its types name every value', async () => {
  project.write('till.cjs', `console.log(JSON.stringify(Object.keys(require('loyalty-basket-client'))));`);
  const values = JSON.parse(await project.run('till.cjs')) as string[];
  const types = readFileSync(join(project.installed, 'index.d.cts'), 'utf8');
  const declared = [...types.matchAll(/^export declare const (\w+)/gm)].map(([, name]) => name);
  expect(declared.sort()).toEqual(values.filter((name) => name !== '__esModule' && name !== 'module.exports').sort());
});

/** The second line proves that the package's types are found: of an unknown type every expectation would hold. */
const TYPESCRIPT = `
  import { type ClientOptions, type FailureReason, LoyaltyClient, type LoyaltyOutcome, memoryStore, multiplyQuantity,
    type SaleEvent, saleEventOf } from 'loyalty-basket-client';
  // @ts-expect-error A number is no address.
  export const wrong: ClientOptions = { baseUrl: 5, secret: '', outbox: memoryStore() };
  export async function sell(options: ClientOptions, basket: Parameters<LoyaltyClient['calculateBasket']>[0]) {
    const client = await LoyaltyClient.open(options);
    const outcome: LoyaltyOutcome = await client.calculateBasket({ ...basket, currency: 'NOK' });
    // @ts-expect-error Money is a number of minor units.
    const total: string = outcome.basket?.totals.total;
    // @ts-expect-error Only an applied basket has loyalty discounts.
    outcome.basket?.lines[0]?.lineDiscountAmount;
    if (outcome.status === 'applied') multiplyQuantity(1, outcome.basket.lines[0]?.lineDiscountAmount ?? 0).toFixed();
    if (outcome.status === 'failed') outcome.failureReason satisfies FailureReason;
    return client.reportSale(saleEventOf(outcome, total));
  }
  const calculationId = '';
  export const right: SaleEvent[] = [
    { calculationId, status: 'applied', transactionId: 'receipt-1' },
    { calculationId, status: 'failed', transactionId: 'receipt-1', failureReason: 'timeout' },
    { calculationId, status: 'cancelled' },
    // @ts-expect-error A finalised sale names its transaction.
    { calculationId, status: 'unchanged' },
    // @ts-expect-error A failed step names its reason.
    { calculationId, status: 'failed', transactionId: 'receipt-1' },
    // @ts-expect-error Only a failed step has one.
    { calculationId, status: 'applied', transactionId: 'receipt-1', failureReason: 'timeout' },
    // @ts-expect-error No such status.
    { calculationId, status: 'paid', transactionId: 'receipt-1' },
  ];`;

test('strict TypeScript knows its types from an ES module and from CommonJS, as Node resolves them, with every declaration checked', async () => {
  project.write('till.ts', TYPESCRIPT);
  project.write('till.cts', TYPESCRIPT);
  expect(await project.check(['till.ts', 'till.cts'], 'node16')).toBe('');
});

test('strict TypeScript knows its types, resolved as bundlers do', async () => {
  project.write('till.ts', TYPESCRIPT);
  expect(await project.check('till.ts', 'bundler', ['--skipLibCheck'])).toBe('');
});

test('every exported field says what it is, and every amount its unit', () => {
  const files = ['basket', 'draft', 'extra-headers', 'outcome', 'printout', 'refusal', 'sale'];
  const declarations = files
    .map((file) => readFileSync(join(project.installed, `lib/${file}.d.ts`), 'utf8'))
    .join('\n');
  const fields = [
    ...declarations.matchAll(/(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?^ {4}(?:readonly )?(\w+)\??: ([^;]+);/gm),
  ];
  expect(fields.length).toBeGreaterThan(70);
  const unnamed = fields.filter(([, comment]) => comment === undefined).map(([, , name]) => name);
  expect(unnamed).toEqual([]);
  const withoutUnit = fields
    .filter(([, comment, , type]) => type === 'number' && !/minor units|per cent|pieces|whole number/i.test(comment!))
    .map(([, , name]) => name);
  expect(withoutUnit).toEqual([]);
  const withoutSource = fields
    .filter(([, comment]) => !/^ (?:POS|Service|Client)[:,]/.test(comment!))
    .map(([, , name]) => name);
  expect([...new Set(withoutSource)]).toEqual([]);
});

test('the README names every option', () => {
  const source = readFileSync(join(ROOT, 'packages/client/src/options.ts'), 'utf8');
  const body = source.match(/interface ClientOptions \{(.*?)^\}/ms)![1]!;
  const options = [...body.matchAll(/readonly (\w+)\??:/g)].map(([, name]) => name!);
  expect(options.length).toBeGreaterThan(10);
  const readme = readFileSync(join(project.installed, 'README.md'), 'utf8');
  expect(options.filter((name) => !readme.includes(`| \`${name}\``))).toEqual([]);
});
