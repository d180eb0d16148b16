/** Every row of the guide's table (docs/campaigns.md) is done: commands as they stand there, steps on the page in a real browser. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { ROOT } from '../architecture/source.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import { temporaryDirectory } from '../support/cleanup.ts';
import { type Benefit, configurationOf, memberOf, TWENTY } from '../support/configuration.ts';
import { quickStart } from '../support/quick-start.ts';
import { useService } from '../support/service.ts';
import { until, within } from '../support/wait.ts';
import { findChromium, openWindow, type WatchedPage } from './browser.ts';

/** Where the machine stands still, a comparison is refused. */
const PRESS_AGAIN_MS = 5_000;

const OPS_TOKEN = 'a-token-of-the-guide-test-0123456789';
const chromium = findChromium();
const isCi = process.env['CI'] === 'true';
const folder = temporaryDirectory();
const file = (name: string) => join(folder, name);

const welcome: Benefit = { ...TWENTY, benefitId: 'welcome', text: 'Welcome', audience: 'everyone' };
welcome.limit = { quantity: 5, period: 'lifetime', counts: 'baskets' };
const launch: Benefit = { ...TWENTY, benefitId: 'launch', text: 'Launch', percent: 30 };
launch.limit = { quantity: 100, period: 'lifetime', counts: 'baskets', of: 'programme' };
const benefits = [TWENTY, { ...TWENTY, benefitId: 'sorry-50', percent: 50 }, welcome, launch];
const configuration = configurationOf({ programme: { benefits }, members: [memberOf('guest', ['launch'])] });
const draft = configurationOf({
  programme: { benefits: [{ ...TWENTY, percent: 25 }, ...benefits.slice(1)] },
  members: [memberOf('guest', ['launch'])],
});

/** The rows: what is asked, the steps, and the commands among them. */
const rows = [
  ...readFileSync(join(ROOT, 'docs/campaigns.md'), 'utf8').matchAll(/^\| (.+?) \| (.+) \| (\d+) \|$/gm),
].map(([, task = '', steps = '']) => ({
  task,
  sections: [...steps.matchAll(/\*\*(.+?)\*\*/g)].map(([, name]) => name),
  commands: [...steps.matchAll(/`(npm run [^`]+)`/g)].map(([, words]) => words as string),
}));

describe.skipIf(chromium === undefined && !isCi)('the guide', () => {
  const stage = useService({
    configuration,
    env: { OPS_TOKEN, RECORD_FILE: file('baskets.ndjson'), RECORD_SAMPLE: '1' },
  });
  let watched: WatchedPage;
  let page: Page;
  const path = () => join(stage.service.dataDirectory, 'environment.yaml');
  const untilText = (selector: string, wanted: RegExp) =>
    until(`${selector} to show ${wanted}`, async () => wanted.test((await page.textContent(selector)) ?? ''));
  const open = async (section: string) => {
    await page.click(`nav a[data-section="${section}"]`);
    await page.waitForSelector(`#section-${section}:not([hidden])`);
  };
  const editText = async (text: string) => {
    await page.setInputFiles('#editor-load', { name: 'draft.yaml', mimeType: 'text/yaml', buffer: Buffer.from(text) });
  };

  const ringUp = async (loyaltyId: string, receipt?: string) => {
    const basket = basketOf([{ unitPrice: 10_000 }], { loyaltyId });
    await stage.caller.basket(basket);
    await stage.caller.sale(
      saleOf(basket.calculationId, 'applied', receipt === undefined ? {} : { transactionId: receipt }),
    );
  };

  beforeAll(async () => {
    await ringUp('guest', 'receipt-7');
    writeFileSync(file('draft.yaml'), stringify(draft));
    writeFileSync(file('basket.json'), JSON.stringify(basketOf([{ unitPrice: 10_000 }], { loyaltyId: 'guest' })));
    writeFileSync(file('baskets.ndjson'), `${JSON.stringify(basketOf([{}], { loyaltyId: 'guest' }))}\n`);
    writeFileSync(file('members.ndjson'), `${JSON.stringify(memberOf('lost-card', ['sorry-50']))}\n`);
    writeFileSync(
      file('members.csv'),
      'programmeId,loyaltyId,status\ncoffee-club,lost-card,active\ncoffee-club,new-card,active\n',
    );
    writeFileSync(file('ids.csv'), 'loyaltyId\nlost-card\nnew-card\n');
    watched = await openWindow(chromium ?? 'chromium', stage.service.opsUrl, 1400, 'UTC');
    page = watched.page;
    await page.evaluate(`sessionStorage.setItem('loyalty-ops-token', '${OPS_TOKEN}')`);
  });
  afterAll(async () => {
    await watched?.close();
    expect(watched?.faults).toEqual([]);
  });

  /** What a person does on the page for each row that has steps there. */
  const walks: Readonly<Record<string, () => Promise<void>>> = {
    'see what an offer does to a basket': async () => {
      await open('playground');
      await until('venues', async () => (await page.locator('#venue option').count()) > 0);
      await page.fill('#loyalty-id', 'guest');
      await page.click('#price');
      await untilText('#outcome', /The guest saves/);
    },
    'write a new offer': async () => {
      await open('editor');
      await untilText('#editor-state', /no errors/);
      const added = { ...launch, benefitId: 'launch-2', percent: 300 };
      await editText(stringify({ ...draft, programmes: [{ ...draft.programmes[0], benefits: [added, ...benefits] }] }));
      await untilText('#editor-faults', /percent: found 300/);
      await page.click('#editor-faults button');
    },
    'see what a draft would change': async () => {
      await open('editor');
      await editText(stringify(draft));
      await untilText('#editor-differences', /20 % → 25 %/);
      await untilText('#editor-price', /The guest saves/);
    },
    'know what a draft would have cost': async () => {
      await page.click('#editor-backtest');
      await until(
        'the report',
        async () => /Cost per benefit/.test(await page.inputValue('#editor-backtest-report')),
        60_000,
      );
    },
    'change many member prices': async () => {
      await page.click('#editor-prices-box summary');
      await untilText('#editor-prices', /no member prices/);
      const buffer = Buffer.from('programmeId,benefitId,productIds,unitPrice\ncoffee-club,coffee,4711,2900\n');
      await page.setInputFiles('#editor-prices-load', { name: 'prices.csv', mimeType: 'text/csv', buffer });
      await untilText('#editor-differences', /Coffee: new/);
    },
    'put a draft in force': async () => {
      // Whoever has looked at the changes before sees what is new later on.
      await open('changes');
      await untilText('#changes', /came into force/);
      await open('editor');
      await page.fill('#editor-note', 'Spring prices');
      await page.click('#editor-put button');
      await untilText('#editor-put-state', /^In force as/);
      expect(readFileSync(path(), 'utf8')).toContain('note: "Spring prices"');
    },
    'see who changed what': async () => {
      await open('changes');
      await untilText('#changes', /Spring prices/);
      await until('the differences', async () => {
        await page.click('#compare-form button[type=submit]');
        return within(untilText('#differences', /20 % → 25 %/), PRESS_AGAIN_MS);
      });
      const sentences = await page.locator('#differences li').allTextContents();
      expect(sentences).toEqual([...new Set(sentences)]);
    },
    'take a change back': async () => {
      await open('changes');
      const [, before = ''] = await page
        .locator('#compare-to option')
        .evaluateAll((all) => all.map((option) => (option as unknown as { value: string }).value));
      await page.selectOption('#compare-to', before);
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('#download-configuration')]);
      await open('editor');
      await editText(readFileSync(await download.path(), 'utf8'));
      await untilText('#editor-differences', /25 % → 20 %/);
      await page.fill('#editor-note', 'Spring is over');
      await page.click('#editor-put button');
      await untilText('#editor-put-state', /^In force as/);
    },
    'tell a guest why there was no discount': async () => {
      await open('look-up');
      await page.fill('#looked-up', 'receipt-7');
      await page.keyboard.press('Enter');
      await untilText('#story', /launch|Launch/);
    },
    'find a sale without its receipt': async () => {
      await page.fill('#sales-benefitId', 'launch');
      await page.keyboard.press('Enter');
      await untilText('#sales', /receipt-7|launch/);
    },
    'know what an offer has cost, and what is left of it': async () => {
      await open('costs');
      await page.selectOption('#costs-by', 'benefit');
      await page.click('#costs-form button[type=submit]');
      await untilText('#costs-table', /launch/i);
      await open('live');
      await untilText('#limits', /99|1 of 100|launch/i);
    },
  };

  test('has nineteen rows, and this test knows each of those with steps on the page', () => {
    expect(rows).toHaveLength(19);
    expect(rows.filter(({ sections }) => sections.length > 0).map(({ task }) => task)).toEqual(Object.keys(walks));
    expect(rows.filter(({ sections, commands }) => sections.length + commands.length === 0)).toEqual([]);
  });

  /** What has happened before somebody asks this. */
  const before: Readonly<Record<string, () => Promise<void>>> = {
    'give a use back that was a mistake': () => ringUp('new-card'),
  };

  test('every row is done, in the order of the table', async () => {
    for (const { task, commands } of rows) {
      try {
        await before[task]?.();
        await walks[task]?.();
        for (const command of commands) await run(command);
      } catch (error) {
        throw new Error(`${task}: ${(error as Error).message}`, { cause: error });
      }
    }
  });

  /** Runs a command of the guide; that it fails fails the test. */
  async function run(command: string): Promise<void> {
    const [, script = '', rest = ''] = /^npm run (\S+) -- (.*)$/.exec(command) ?? [];
    const names = /\b[\w-]+\.(?:yaml|json|ndjson|csv)\b/g;
    const words = rest.replaceAll(names, (name) => file(name));
    const env = quickStart({
      PATH: process.env['PATH'],
      LOYALTY_CONFIG: path(),
      REDIS_URL: stage.redis.url,
      DATA_DIR: stage.service.dataDirectory,
      NODE: process.execPath,
    });
    const line = `"$NODE" ${join(ROOT, 'packages/tools/src/loyalty.ts')} ${script} ${words}`;
    await promisify(execFile)('sh', ['-c', line], { cwd: folder, env });
  }
});
