/** The editor in a real browser, by the keyboard alone: complete, correct, compare, price, put in force. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { configurationOf, memberOf, TWENTY } from '../support/configuration.ts';
import { useService } from '../support/service.ts';
import { sleep, until } from '../support/wait.ts';
import { findBarriers, findChromium, openWindow, tabTo, type WatchedPage } from './browser.ts';

const OPS_TOKEN = 'a-token-of-the-browser-test-0123456789';
const chromium = findChromium();
const isCi = process.env['CI'] === 'true';
const { programmes, ...others } = configurationOf({
  programme: { benefits: [TWENTY] },
  members: [memberOf('guest', ['twenty'])],
});

describe.skipIf(chromium === undefined && !isCi)('the editor', () => {
  const stage = useService({ configuration: { ...others, programmes }, env: { OPS_TOKEN } });
  let watched: WatchedPage | undefined;
  const path = () => join(stage.service.dataDirectory, 'environment.yaml');
  const untilText = (selector: string, wanted: RegExp) =>
    until(`${selector} to show ${wanted}`, async () => wanted.test((await watched?.page.textContent(selector)) ?? ''));
  const textOf = async (page: Page) => (await page.locator('#editor-text .cm-content').textContent()) ?? '';

  /** Opens the editor on a file that a person would write, whose last lines are those of its only benefit. */
  const open = async () => {
    writeFileSync(path(), `# The club of the tests\n${stringify({ ...others, programmes })}`);
    const headers = { authorization: `Bearer ${OPS_TOKEN}` };
    await fetch(`${stage.service.opsUrl}/admin/configuration/reload`, { method: 'POST', headers });
    watched = await openWindow(chromium ?? 'chromium', stage.service.opsUrl, 1400, 'UTC');
    const { page } = watched;
    await tabTo(page, 'Editor');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Operations token');
    await page.keyboard.type(OPS_TOKEN);
    await page.keyboard.press('Enter');
    await untilText('#editor-state', /no errors/);
    return page;
  };
  /** Goes into the text by the keyboard, to its end. */
  const enterText = async (page: Page) => {
    await tabTo(page, 'Download the draft');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Control+End');
  };

  afterEach(async () => {
    const faults = watched?.faults ?? [];
    await watched?.close();
    expect(faults).toEqual([]);
  });

  test('completes, checks, compares and prices a draft, and puts it in force with a note', async () => {
    const page = await open();
    await page.evaluate("document.querySelector('#loyalty-id').value = 'guest'");
    await enterText(page);
    await page.keyboard.type('        maximumD');
    await until('a completion', async () =>
      /maximumDiscount/.test((await page.locator('.cm-tooltip-autocomplete').textContent()) ?? ''),
    );
    // A list that has just appeared takes no key yet, for who was typing on.
    await sleep(200);
    await page.keyboard.press('Enter');
    await page.keyboard.type('much');
    await untilText('#editor-faults', /programmes\[0\]\.benefits\[0\]\.maximumDiscount: found "much"/);
    expect(await page.locator('#editor-text .cm-lintRange-error').count()).toBe(1);
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('F8');
    for (const _ of 'much') await page.keyboard.press('Delete');
    await page.keyboard.type('100');
    await untilText('#editor-differences', /most saved in a basket none → 1\.00/);
    await untilText('#editor-price', /With the draft: The guest saves 1\.00 NOK/);
    await page.click('#draft-result > summary');
    await untilText('#draft-explained-lines', /line discount/);
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('Tab');
    await tabTo(page, 'What changed, and why');
    await page.keyboard.type('A cap for the spring');
    await page.keyboard.press('Enter');
    await untilText('#editor-put-state', /^In force as [0-9a-f]{12}/);
    const written = readFileSync(path(), 'utf8');
    expect(written).toMatch(/^# The club of the tests\nnote: "A cap for the spring"\n/);
    expect(written).toMatch(/ {8}maximumDiscount: 100\n?$/);
    await tabTo(page, 'Changes');
    await page.keyboard.press('Enter');
    await untilText('#changes', /came into force.*A cap for the spring/s);
  });

  test('edits member prices as a table, and loses no draft on the way to another section', async () => {
    const page = await open();
    await tabTo(page, 'Member prices as a table');
    await page.keyboard.press('Enter');
    await untilText('#editor-prices', /no member prices yet/);
    await tabTo(page, 'Add a price');
    await page.keyboard.press('Enter');
    await page.keyboard.type('coffee-club');
    for (const words of ['coffee', '4711 "oat milk"', '2900']) {
      await page.keyboard.press('Tab');
      await page.keyboard.press('Control+A');
      await page.keyboard.type(words);
    }
    await page.click('#editor-prices-apply');
    await untilText('#editor-prices-state', /1 row is written into the draft/);
    await untilText('#editor-differences', /Coffee: new/);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#editor-prices-save')]);
    const csv = readFileSync(await download.path(), 'utf8');
    expect(csv).toBe(
      'programmeId,benefitId,productIds,unitPrice,remove\r\ncoffee-club,coffee,"4711 ""oat milk""",2900,\r\n',
    );
    const dearer = Buffer.from(csv.replace('2900', '3100'));
    await page.setInputFiles('#editor-prices-load', { name: 'prices.csv', mimeType: 'text/csv', buffer: dearer });
    await until('the price of the file', async () => /unitPrice: 3100/.test(await textOf(page)));
    // Products that nobody changed stay as they are, whatever their IDs contain.
    expect(await textOf(page)).toMatch(/productIds: \["4711", "oat milk"\]/);
    await untilText('#editor-state', /1 change\.$/);
    const wrong = Buffer.from(csv.replace('2900', '29.00'));
    await page.setInputFiles('#editor-prices-load', { name: 'prices.csv', mimeType: 'text/csv', buffer: wrong });
    await untilText('#editor-prices-state', /Row 2, unitPrice: found "29.00"/);
    const unclosed = Buffer.from(csv.replace('milk""', 'milk'));
    await page.setInputFiles('#editor-prices-load', { name: 'prices.csv', mimeType: 'text/csv', buffer: unclosed });
    await untilText('#editor-prices-state', /Row 2, productIds: found .* stands in quotes/);
    expect(await findBarriers(page)).toEqual([]);
    await page.goto(`${stage.service.opsUrl}/#playground`);
    await page.goto(`${stage.service.opsUrl}/#editor`);
    expect(await textOf(page)).toMatch(/unitPrice: 3100/);
    expect(readFileSync(path(), 'utf8')).not.toMatch(/3100/);
  });
});
