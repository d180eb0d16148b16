/** The live page in a real browser, worked with the keyboard alone. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../architecture/source.ts';
import { openEventStreams } from '../ops/event-stream.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import type { Configuration } from '../support/configuration.ts';
import { useService } from '../support/service.ts';
import { until, within } from '../support/wait.ts';
import { findBarriers, findChromium, lookUp, openWindow, tabTo, type WatchedPage } from './browser.ts';

const PRESS_AGAIN_MS = 5_000;

/** An answer while Redis was silent, which is the machine's. */
const SILENCE = /\bstatus of 503\b/;

const OPS_TOKEN = 'a-token-of-the-browser-test-0123456789';
const chromium = findChromium();
const isCi = process.env['CI'] === 'true';
if (chromium === undefined) console.warn('NO CHROMIUM ON PATH: the tests of the live page in a browser are SKIPPED.');

describe.skipIf(chromium === undefined && !isCi)('the live page', () => {
  const stage = useService({
    configuration: parse(readFileSync(join(ROOT, 'config/staging.yaml'), 'utf8')) as Configuration,
    env: { OPS_TOKEN },
  });
  let watched: WatchedPage;
  const open = async (width: number, hash = '', timeZone = 'UTC') => {
    watched = await openWindow(chromium ?? 'chromium', stage.service.opsUrl, width, timeZone);
    if (hash !== '') await watched.page.goto(`${stage.service.opsUrl}/${hash}`);
    return watched.page;
  };
  const textOf = async (selector: string) => (await watched.page.textContent(selector)) ?? '';
  const untilText = (selector: string, wanted: RegExp) =>
    until(`${selector} to show ${wanted}`, async () => {
      const text = await textOf(selector);
      return wanted.test(text) && text;
    });

  /** Presses a button until the outcome is shown: where the machine stands still, Redis falls silent, and the price is refused. */
  const pressUntil = (button: string, wanted: RegExp) =>
    until(`${button} to show ${wanted}`, async () => {
      await watched.page.click(button);
      return within(untilText('#outcome', wanted), PRESS_AGAIN_MS);
    });

  /** The browser tells of answers with these statuses, at a time of its own; the test provoked them. */
  let tolerated: RegExp | undefined;

  beforeEach(() => {
    watched = undefined as unknown as WatchedPage;
    tolerated = undefined;
  });
  afterEach(async () => {
    const faults = watched?.faults ?? [];
    await watched?.close();
    expect(faults.filter((fault) => !tolerated?.test(fault) && !SILENCE.test(fault))).toEqual([]);
  });

  test('figures move under load, and a refusal is shown with its reason', async () => {
    const page = await open(1400);
    await untilText('#state', /^Ready$/);
    await untilText('#environment', /^staging$/);
    // Only the figures are looked at: how many of these calls a busy machine refuses is no matter here.
    const crowd = stage.service.newCaller();
    const calls: Promise<unknown>[] = [];
    const load = setInterval(() => {
      calls.push(crowd.basket(basketOf([{}], { loyaltyId: 'test-member-20' })));
    }, 50);
    try {
      await untilText('#tile-calls', /^\d*[1-9]/);
      await untilText('#tile-p99', /^\d+(\.\d+)?$/);
      const first = Number((await textOf('#events td.number:last-child')).replaceAll(',', ''));
      await until('the count to rise', async () => {
        const text = (await textOf('#events td.number:last-child')).replaceAll(',', '');
        return Number(text) > first;
      });
    } finally {
      clearInterval(load);
      await Promise.all(calls);
    }
    expect(await page.locator('canvas').count()).toBe(3);
    const wrong = basketOf([{}], { loyaltyId: 'test-member-20' });
    wrong.totals = { ...wrong.totals, total: 1 };
    const refused = await stage.caller.basket(wrong);
    const row = await untilText('#refusals tbody tr', /arithmetic_mismatch/);
    expect(row).toContain('/totals/total');
    expect(row).toContain(refused.header('x-request-id'));
    expect(await page.content()).not.toContain('test-member-20');
  });

  test('what benefits cost is shown by day, with its sum', async () => {
    const basket = basketOf([{ unitPrice: 12_300 }], { loyaltyId: 'test-member-20' });
    await stage.caller.basket(basket);
    await stage.caller.sale(saleOf(basket.calculationId));
    const sums = () => fetch(`${stage.service.opsUrl}/live/costs`).then((answer) => answer.text());
    await until('the sale to be counted', async () => (await sums()).includes('"saved":2460'));
    // Today is the venue's day, also for whoever looks from where it is another.
    const dayIn = (timeZone: string) => new Date().toLocaleDateString('sv', { timeZone });
    const elsewhere = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'].find((zone) => dayIn(zone) !== dayIn('Europe/Oslo'));
    const page = await open(1400, '', elsewhere);
    // Where the venues have two days, the page begins with the later one.
    await page.selectOption('#cost-day', dayIn('Europe/Oslo'));
    const row = await untilText('#costs tbody tr', /24\.60 NOK/);
    expect(row).toMatch(/^\S+coffee-club1124\.60 NOK$/);
    const offered = await page.locator('#cost-day option').allTextContents();
    expect(offered).toContain('Today');
    await tabTo(page, 'Day');
    expect(await findBarriers(page)).toEqual([]);
  });

  test('a page just opened knows the minutes before, and all tabs share one stream', async () => {
    const url = `${stage.service.opsUrl}/live`;
    const streams = await openEventStreams(url, 31);
    // Refused while the service still counts the page of another test, a page asks again.
    tolerated = /\b503\b/;
    try {
      const page = await open(1400);
      await untilText('#tile-p99', /^\d+(\.\d+)?$/);
      // The first test's refusal was before this page; there is no place for a second stream.
      await untilText('#errors tbody', /arithmetic_mismatch422\/v1\/pos\/basket[01]/);
      const tab = await page.context().newPage();
      await tab.goto(stage.service.opsUrl);
      await until('the second tab to be fed', async () => (await tab.textContent('#state')) === 'Ready');
      await tab.close();
    } finally {
      for (const stream of streams) stream.close();
    }
    for (const stream of await openEventStreams(url, 2)) stream.close();
  });

  test('a refused configuration stays red until it is mended, and the title says when the service is down', async () => {
    const page = await open(1400, '#playground');
    const file = join(stage.service.dataDirectory, 'environment.yaml');
    const right = readFileSync(file, 'utf8');
    await until('the title', async () => (await page.title()) === 'Playground · Loyalty gateway');
    writeFileSync(file, right.replace('"percent": 20', '"percent": 200').replace('"sustained"', '"sustain"'));
    await stage.service.kill('SIGHUP');
    await untilText('#state.bad', /was rejected.*environment\.yaml:\d+, rateLimit: .*"sustain"/s);
    await untilText('#state.bad', /:\d+, programmes\[0\]\S+: found 200/);
    expect(await page.locator('#configuration.bad').count()).toBe(1);
    writeFileSync(file, right);
    await stage.service.kill('SIGHUP');
    await untilText('#state:not(.bad)', /^Ready$/);
    expect(await page.locator('#configuration.bad').count()).toBe(0);
    await stage.redis.kill();
    await until('the title', async () => (await page.title()) === 'Down · Playground · Loyalty gateway');
    await stage.redis.start();
    await until('the title', async () => (await page.title()) === 'Playground · Loyalty gateway');
    await stage.service.untilReady();
  });

  test('a calculation is looked up by its ID, and tells its story; a wrong token is asked for again', async () => {
    const basket = basketOf([{}], { loyaltyId: 'test-member-20' });
    await stage.caller.basket(basket);
    await stage.caller.sale(saleOf(basket.calculationId));
    const page = await open(1400);
    await lookUp(page, basket.calculationId);
    await tabTo(page, 'Operations token');
    await page.keyboard.type('not-the-token');
    await page.keyboard.press('Enter');
    await untilText('#token-fault', /does not accept/);
    await page.keyboard.type(OPS_TOKEN);
    await page.keyboard.press('Enter');
    await untilText('#story', /oslo-central asked.*sale event applied/s);
    expect(await textOf('#story-status')).toMatch(/^Now: /);
    // A refused token is what the test wanted, and the browser reports every 401.
    tolerated = /\b401\b/;
  });

  test('who has nothing but a receipt number finds why one line had 20 % off and the other nothing', async () => {
    const words = [{ productId: '4711' }, { name: 'Gift card', noDiscount: true }];
    const basket = basketOf(words, { loyaltyId: 'test-member-20' });
    await stage.caller.basket(basket);
    await stage.caller.sale(saleOf(basket.calculationId, 'applied', { transactionId: '2026-000123' }));
    const wrong = basketOf([{}], { loyaltyId: 'test-member-20', currency: 'EUR' });
    await stage.caller.basket(wrong);
    const page = await open(1400);
    await lookUp(page, '2026-000123');
    await tabTo(page, 'Operations token');
    await page.keyboard.type(OPS_TOKEN);
    await page.keyboard.press('Enter');
    await untilText('#story', /asked.*sale event applied, transaction 2026-000123/s);
    expect(await textOf('#story .outcome')).toMatch(/^The guest saves 20\.00 NOK: 200\.00 becomes 180\.00\.$/);
    const lines = await page.locator('#story table').first().locator('tbody tr').allTextContents();
    expect(lines[0]).toMatch(/−20\.00 Test member 20 %/);
    expect(lines[1]).toMatch(/“no discount”/);
    const benefits = await page.locator('#story table').nth(1).locator('tbody tr').allTextContents();
    expect(benefits.length).toBeGreaterThan(5);
    expect(benefits[0]).toContain('Applied');
    expect(await findBarriers(page)).toEqual([]);

    // What if the line with the discount comes back?
    await page.getByText('What if this comes back').click();
    await page.locator('#story .returns input').first().fill('1');
    await page.keyboard.press('Enter');
    await untilText('#story .returns .outcome', /^Refund 80\.00 NOK \(policy as_paid\)\.$/);
    expect(await textOf('#story .returns')).toMatch(/keeps nothing, and loses Test member 20 % 20\.00 NOK/);
    expect(await findBarriers(page)).toEqual([]);

    // A basket that was refused is found by the link of "Last refusals".
    await page.goto(`${stage.service.opsUrl}/#live`);
    await untilText('#refusals', /unknown_currency/);
    await page.locator('#refusals a').first().focus();
    await page.keyboard.press('Enter');
    await untilText('#story', /was refused with 422 unknown_currency/);
    expect(await textOf('#story-status')).toBe('Refused once.');
  });

  test('who knows nothing finds why one line has 20 % off and the other nothing', async () => {
    const page = await open(1400);
    await tabTo(page, 'Playground');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Operations token');
    await page.keyboard.type(OPS_TOKEN);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#examples button');
    await tabTo(page, '20 % on one line, nothing on another');
    await page.keyboard.press('Enter');
    await untilText('#outcome', /^The guest saves 15\.60 NOK: 278\.00 becomes 262\.40\.$/);
    const lines = await page.locator('#explained-lines tbody tr').allTextContents();
    expect(lines[0]).toMatch(/Filter coffee.*−15\.60 Test member 20 %/);
    expect(lines[1]).toMatch(/Gift card.*“no discount”/);
    const benefits = await page.locator('#explained-benefits tbody tr').allTextContents();
    expect(benefits[0]).toContain('Applied');
    expect(benefits).toHaveLength(13);
    expect(benefits.slice(1).every((text) => /member|basket|line|unit|time|used/.test(text))).toBe(true);

    // The focus stands on the result; from the top again, another basket.
    await page.keyboard.press('Control+Home');
    await page.evaluate('document.activeElement.blur(); window.getSelection().removeAllRanges()');
    await tabTo(page, 'Just too small');
    await page.keyboard.press('Enter');
    await untilText('#outcome', /a minimum is not reached/);
    expect(await textOf('#explained-benefits tbody tr')).toContain('Spend 5.00 NOK more');
    await tabTo(page, 'Quantity');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('1,5');
    await tabTo(page, 'Price it');
    await page.keyboard.press('Enter');
    await untilText('#outcome', /^The guest saves 26\.25 NOK: 52\.50 becomes 26\.25\.$/);
  });

  test('a pasted basket is priced, and a wrong one is told where it is wrong', async () => {
    const page = await open(1400, '#playground');
    await page.fill('#token', OPS_TOKEN);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#examples button');
    const basket = basketOf([{ unitPrice: 12_345 }], { loyaltyId: 'test-member-20' });
    await page.click('summary');
    await page.fill('#basket-json', JSON.stringify(basket));
    await pressUntil('#price-json', /^The guest saves 24\.69 NOK/);
    await page.fill('#basket-json', '{');
    await page.click('#price-json');
    await untilText('#playground-fault', /not JSON/);
    await page.fill('#basket-json', JSON.stringify({ ...basket, totals: { ...basket.totals, total: 1 } }));
    await page.click('#price-json');
    await untilText('#playground-fault', /\/totals\/total: expected 12345, received 1/);
    tolerated = /\b422\b/;
  });

  test.each([375, 1400])('at %i px no section scrolls sideways or keeps anybody out', async (width) => {
    const page = await open(width, '#playground');
    const overhang = () => page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    await page.fill('#token', OPS_TOKEN);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#examples button');
    await page.click('#examples li:nth-child(2) button');
    await page.waitForSelector('#explained-lines tbody tr');
    expect(await overhang()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    await stage.caller.basket(basketOf([{}], { loyaltyId: 'test-member-20', currency: 'EUR' }));
    for (const section of ['#live', '#look-up']) {
      await page.goto(`${stage.service.opsUrl}/${section}`);
      await page.waitForSelector(`#section-${section.slice(1)}`);
      await untilText('#state', /^Ready$/);
      expect([section, await overhang()]).toEqual([section, 0]);
    }
    await page.goto(`${stage.service.opsUrl}/#live`);
    await untilText('#refusals', /unknown_currency/);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await findBarriers(page)).toEqual([]);
    }
  });
});
