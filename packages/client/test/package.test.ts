/** The client as a vendor installs it: from its tarball, in a project of its own. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../../scripts/package/build.ts';
import { OutsideProject } from '../../../test/support/outside-project.ts';
import { SECRET, useDouble } from './fixture.ts';

const stage = useDouble();
const project = new OutsideProject('client');

test('the tarball holds the library, its types and what people read', () => {
  const files = readdirSync(project.installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(project.installed.length + 1));
  const isExpected =
    /^(?:lib\/(?:(?:basket|contract|money|outbox)\/)?[a-z-]+\.(?:js|d\.ts)|package\.json|README\.md|CHANGELOG\.md)$/;
  expect(files.filter((file) => !isExpected.test(file))).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(['lib/index.js', 'lib/index.d.ts', 'README.md', 'CHANGELOG.md']));
});

test('the example of the README runs', async () => {
  project.write('basket.json', project.exampleOf('json'));
  project.write('till.js', project.exampleOf('js'));
  expect(project.exampleOf('js').match(/^\s*\S/gm)!.length).toBeLessThanOrEqual(12);
  const env = { LOYALTY_URL: stage.double.baseUrl, LOYALTY_SECRET: SECRET.toString('hex') };
  expect((await project.run('till.js', [], env)).split('\n')).toEqual(['applied 6240', 'settled recorded', '']);
});

test('CommonJS can require it', async () => {
  project.write('till.cjs', `console.log(typeof require('loyalty-basket-client').LoyaltyClient.open);`);
  expect((await project.run('till.cjs')).trim()).toBe('function');
});

/** The second line proves that the package's types are found: of an unknown type every expectation would hold. */
const TYPESCRIPT = `
  import { type ClientOptions, LoyaltyClient, type LoyaltyOutcome, memoryStore, saleEventOf } from 'loyalty-basket-client';
  // @ts-expect-error A number is no address.
  export const wrong: ClientOptions = { baseUrl: 5, secret: '', outbox: memoryStore() };
  export async function sell(options: ClientOptions, basket: Parameters<LoyaltyClient['calculateBasket']>[0]) {
    const client = await LoyaltyClient.open(options);
    const outcome: LoyaltyOutcome = await client.calculateBasket({ ...basket, currency: 'NOK' });
    // @ts-expect-error Money is a number of minor units.
    const total: string = outcome.basket.totals.total;
    return client.reportSale(saleEventOf(outcome, total));
  }`;

test('strict TypeScript knows its types, resolved as Node does, with every declaration checked', async () => {
  project.write('till.ts', TYPESCRIPT);
  expect(await project.check('till.ts', 'node16')).toBe('');
});

test('strict TypeScript knows its types, resolved as bundlers do', async () => {
  project.write('till.ts', TYPESCRIPT);
  expect(await project.check('till.ts', 'bundler', ['--skipLibCheck'])).toBe('');
});

test('the README names every option', () => {
  const source = readFileSync(join(ROOT, 'packages/client/src/options.ts'), 'utf8');
  const body = source.match(/interface ClientOptions \{(.*?)^\}/ms)![1]!;
  const options = [...body.matchAll(/readonly (\w+)\??:/g)].map(([, name]) => name!);
  expect(options.length).toBeGreaterThan(10);
  const readme = readFileSync(join(project.installed, 'README.md'), 'utf8');
  expect(options.filter((name) => !readme.includes(`| \`${name}\``))).toEqual([]);
});
