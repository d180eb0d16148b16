/** The page's sections about what was: costs over time, configurations and sales, in a real browser, worked with the keyboard. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../architecture/source.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import type { Configuration } from '../support/configuration.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/wait.ts';
import { findBarriers, findChromium, openWindow, tabTo, type WatchedPage } from './browser.ts';

const OPS_TOKEN = 'a-token-of-the-browser-test-0123456789';
const chromium = findChromium();
const isCi = process.env['CI'] === 'true';

describe.skipIf(chromium === undefined && !isCi)('what was', () => {
  const stage = useService({
    configuration: parse(readFileSync(join(ROOT, 'config/staging.yaml'), 'utf8')) as Configuration,
    env: { OPS_TOKEN },
  });
  let watched: WatchedPage | undefined;
  const open = async () => {
    watched = await openWindow(chromium ?? 'chromium', stage.service.opsUrl, 1400, 'UTC');
    return watched.page;
  };
  const untilText = (selector: string, wanted: RegExp) =>
    until(`${selector} to show ${wanted}`, async () => wanted.test((await watched?.page.textContent(selector)) ?? ''));

  afterEach(async () => {
    const faults = watched?.faults ?? [];
    await watched?.close();
    expect(faults).toEqual([]);
  });

  test('costs of a range of days are drawn, compared with the range before, and downloaded', async () => {
    const page = await open();
    await tabTo(page, 'Costs');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Operations token');
    await page.keyboard.type(OPS_TOKEN);
    await page.keyboard.press('Enter');
    await untilText('#costs-caption', /^\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d; before: \d{4}/);
    expect(await page.locator('#chart-costs canvas').count()).toBe(1);
    await until('rows of benefits', async () => (await page.locator('#costs-table tbody tr').count()) > 0);
    await page.selectOption('#costs-by', 'venue');
    await page.click('#costs-form button[type=submit]');
    await untilText('#costs-table', /Venue.*(oslo-central|helsinki-harbour)/s);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#costs-csv')]);
    expect(readFileSync(await download.path(), 'utf8')).toMatch(/^venueId,currency,soldBaskets,/);
    expect(await findBarriers(page)).toEqual([]);
  });

  test('what was in force is listed, compared and given back', async () => {
    const page = await open();
    const path = join(stage.service.dataDirectory, 'environment.yaml');
    const before = readFileSync(path, 'utf8');
    const headers = { authorization: `Bearer ${OPS_TOKEN}` };
    writeFileSync(path, JSON.stringify({ note: 'Dearer on Sundays', ...JSON.parse(before) }));
    await fetch(`${stage.service.opsUrl}/admin/configuration/reload`, { method: 'POST', headers });
    await tabTo(page, 'Changes');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Operations token');
    await page.keyboard.type(OPS_TOKEN);
    await page.keyboard.press('Enter');
    await untilText('#differences', /note none → "Dearer on Sundays"/);
    await untilText('#changes', /Configuration [0-9a-f]{12} came into force/);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#download-configuration')]);
    expect(readFileSync(await download.path(), 'utf8')).toContain('Dearer on Sundays');
    expect(await findBarriers(page)).toEqual([]);
  });

  test('a sale is found without its receipt, and its look-up shows both clocks', async () => {
    const basket = basketOf([{}], { loyaltyId: 'test-member-20' });
    await stage.caller.basket(basket);
    await stage.caller.sale(saleOf(basket.calculationId));
    const page = await open();
    await tabTo(page, 'Look-up');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Operations token');
    await page.keyboard.type(OPS_TOKEN);
    await page.keyboard.press('Enter');
    await tabTo(page, 'Benefit ID');
    await page.keyboard.type('test-20-percent');
    await page.keyboard.press('Enter');
    await untilText('#sales', /oslo-central.*test-20-percent/s);
    expect(await findBarriers(page)).toEqual([]);
    await page.locator('#sales a').first().focus();
    await page.keyboard.press('Enter');
    await untilText(
      '#story',
      /The till's clock was [-\d]+ [:\d]+ Europe\/Oslo, ours .*The configuration [0-9a-f]{12} priced it/s,
    );
  });
});
