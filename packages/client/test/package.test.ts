/** The client as a vendor installs it: a package of its own, with ajv, typebox and undici beside it and nothing else. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, readSources } from '../../../test/architecture/source.ts';
import { temporaryDirectory } from '../../../test/support/cleanup.ts';
import { richBasket, SECRET, useDouble } from './fixture.ts';

const stage = useDouble();

/** A package with everything it depends on, as npm would install it, from the project's own node_modules. */
function install(name: string, target: string, done = new Set<string>()): string[] {
  if (done.has(name)) return [];
  done.add(name);
  const source = join(ROOT, 'node_modules', name);
  cpSync(source, join(target, 'node_modules', name), { recursive: true });
  const { dependencies = {} } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  return [name, ...Object.keys(dependencies).flatMap((next) => install(next, target, done))];
}

test('it runs where only its own package and three others are installed', async () => {
  const folder = temporaryDirectory();
  const installed = join(folder, 'node_modules', 'loyalty-basket-gateway');
  mkdirSync(installed, { recursive: true });
  execFileSync(process.execPath, ['src/tools/loyalty.ts', 'pack-client', '--out', installed], {
    cwd: ROOT,
    stdio: 'ignore',
  });
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const own = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(manifest.dependencies).toEqual({
    ajv: own.dependencies.ajv,
    typebox: own.dependencies.typebox,
    undici: own.dependencies.undici,
  });
  for (const name of Object.keys(manifest.dependencies)) install(name, folder);
  expect(readdirSync(join(installed, 'lib')).sort()).toEqual(['packages', 'src']);

  writeFileSync(
    join(folder, 'till.mjs'),
    `import { LoyaltyClient, saleEventOf } from 'loyalty-basket-gateway/client';
     const [baseUrl, secret, basket] = process.argv.slice(2);
     const ended = Promise.withResolvers();
     const client = await LoyaltyClient.open({ baseUrl, secret, outbox: 'outbox.log', onSaleEnding: ended.resolve });
     const outcome = await client.calculateBasket(JSON.parse(basket));
     await client.reportSale(saleEventOf(outcome, 'receipt-1'));
     const { result } = await ended.promise;
     await client.close();
     console.log(outcome.status, result);`,
  );
  const basket = JSON.stringify(richBasket('member'));
  const printed = await run(folder, ['till.mjs', stage.double.baseUrl, SECRET.toString('hex'), basket]);
  expect(printed.trim()).toBe('applied recorded');
});

test('inside the project it is the entry loyalty-basket-gateway/client', () => {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(exports).toEqual({ './client': './packages/client/src/index.ts' });
});

test('what it imports from outside is Node and the three packages', () => {
  const files = readSources(['packages/client/src', 'src/contract', 'src/money', 'src/basket']);
  const outside = files.flatMap(({ imports }) => imports.map(({ specifier }) => specifier));
  const packages = new Set(outside.filter((name) => !name.startsWith('.') && !name.startsWith('node:')));
  expect([...packages].sort()).toEqual(['ajv', 'typebox', 'undici']);
});

/** Runs a script in a folder without the project's environment; the double answers in this process meanwhile. */
async function run(cwd: string, args: readonly string[]): Promise<string> {
  const { execFile } = await import('node:child_process');
  const { promisify } = await import('node:util');
  const { stdout } = await promisify(execFile)(process.execPath, [...args], { cwd, env: {}, timeout: 20_000 });
  return stdout;
}
