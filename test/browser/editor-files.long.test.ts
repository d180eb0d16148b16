/** The editor on a configuration of two files, in a real browser: each has a draft of its own, and none is lost. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { temporaryDirectory } from '../support/cleanup.ts';
import { configurationOf, memberOf, TWENTY } from '../support/configuration.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/wait.ts';
import { findChromium, openWindow, tabTo, type WatchedPage } from './browser.ts';

const OPS_TOKEN = 'a-token-of-the-browser-test-0123456789';
const chromium = findChromium();
const isCi = process.env['CI'] === 'true';
const { programmes, ...venues } = configurationOf({
  programme: { benefits: [TWENTY] },
  members: [memberOf('guest', ['twenty'])],
});
const folder = join(temporaryDirectory(), 'shop');
const [programmesFile, venuesFile] = [join(folder, 'programmes.yaml'), join(folder, 'venues.yaml')];
mkdirSync(folder);
writeFileSync(programmesFile, stringify({ programmes }));
writeFileSync(venuesFile, stringify(venues));

describe.skipIf(chromium === undefined && !isCi)('the editor of two files', () => {
  const stage = useService({ env: { OPS_TOKEN, LOYALTY_CONFIG: folder } });
  let watched: WatchedPage | undefined;
  const untilText = (selector: string, wanted: RegExp) =>
    until(`${selector} to show ${wanted}`, async () => wanted.test((await watched?.page.textContent(selector)) ?? ''));
  const textOf = async (page: Page) => (await page.locator('#editor-text .cm-content').textContent()) ?? '';
  const changedFiles = async (page: Page) =>
    (await page.locator('#editor-file option').allTextContents()).filter((label) => label.endsWith('(changed)'));

  const open = async () => {
    watched = await openWindow(chromium ?? 'chromium', stage.service.opsUrl, 1400, 'UTC');
    const { page } = watched;
    await page.goto(`${stage.service.opsUrl}/#editor`);
    await tabTo(page, 'Operations token');
    await page.keyboard.type(OPS_TOKEN);
    await page.keyboard.press('Enter');
    await untilText('#editor-state', /no errors/);
    return page;
  };
  /** Chooses a file, and goes to the end of its text. */
  const choose = async (page: Page, file: string) => {
    await page.selectOption('#editor-file', file);
    await page.click('#editor-text .cm-content');
    await page.keyboard.press('Control+End');
  };
  const put = async (page: Page, note: string) => {
    await page.fill('#editor-note', note);
    await page.press('#editor-note', 'Enter');
  };

  afterEach(async () => {
    // The console lists an answer of 412, which one of the tests is about.
    const faults = watched?.faults.filter((fault) => !fault.includes('status of 412')) ?? [];
    await watched?.close();
    expect(faults).toEqual([]);
  });

  test('keeps a draft and an undo history of each, and asks before a draft is left', async () => {
    const page = await open();
    await choose(page, programmesFile);
    await page.keyboard.type('# of the programmes');
    await choose(page, venuesFile);
    expect(await textOf(page)).not.toMatch(/# of the programmes/);
    const untouched = await textOf(page);
    await page.keyboard.press('Control+z');
    expect(await textOf(page)).toBe(untouched);
    expect(await changedFiles(page)).toEqual([`${programmesFile} (changed)`]);

    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.type());
      void dialog.dismiss();
    });
    await page.close({ runBeforeUnload: true });
    await until('a question', () => dialogs.length > 0);
    expect(dialogs).toEqual(['beforeunload']);

    await choose(page, programmesFile);
    expect(await textOf(page)).toMatch(/# of the programmes$/);
    await page.keyboard.press('Control+z');
    await until('the text in force', async () => !/# of the programmes/.test(await textOf(page)));
    expect(await changedFiles(page)).toEqual([]);
    await Promise.all([page.waitForEvent('close'), page.close({ runBeforeUnload: true })]);
    expect(dialogs).toHaveLength(1);
  });

  test('keeps what is typed while a draft is put in force, and the draft of the other file', async () => {
    const page = await open();
    await choose(page, venuesFile);
    await page.keyboard.type('# of the venues');
    await choose(page, programmesFile);
    await page.keyboard.type('# put');
    const [sent, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/admin/configuration/files', async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      sent.resolve();
      await released.promise;
      return route.continue();
    });
    await put(page, 'First');
    await sent.promise;
    await choose(page, programmesFile);
    await page.keyboard.type(' and later');
    released.resolve();
    await untilText('#editor-put-state', /^In force as/);
    expect(readFileSync(programmesFile, 'utf8')).toMatch(/# put\n?$/);
    expect(await textOf(page)).toMatch(/# put and later$/);
    expect(await changedFiles(page)).toEqual([`${programmesFile} (changed)`, `${venuesFile} (changed)`]);

    // Both drafts are of files that nobody else has changed, so each can be put in force after the other.
    await choose(page, venuesFile);
    await put(page, 'Second');
    await until('the venues', () => /# of the venues\n?$/.test(readFileSync(venuesFile, 'utf8')));
    await until('the mark to go', async () => (await changedFiles(page)).length === 1);
    await choose(page, programmesFile);
    await put(page, 'Third');
    await until('the programmes', () => /# put and later\n?$/.test(readFileSync(programmesFile, 'utf8')));
    await until('no mark', async () => (await changedFiles(page)).length === 0);
  });

  test('does not put a draft over a change of its file by somebody else', async () => {
    const page = await open();
    await choose(page, venuesFile);
    await page.keyboard.type('# of the venues, again');
    const deployed = `${readFileSync(venuesFile, 'utf8')}# of a deployment\n`;
    writeFileSync(venuesFile, deployed);
    const headers = { authorization: `Bearer ${OPS_TOKEN}` };
    await fetch(`${stage.service.opsUrl}/admin/configuration/reload`, { method: 'POST', headers });
    await choose(page, programmesFile);
    await page.keyboard.type('# once more');
    await put(page, 'Too late');
    await untilText('#editor-put-state', /has come into force since the draft was made/);
    // The other file is begun again, and the draft stays one of the configuration before.
    await page.click('#editor-reset');
    await until('the text in force', async () => !/# once more/.test(await textOf(page)));
    await choose(page, venuesFile);
    expect(await textOf(page)).toMatch(/# of the venues, again$/);
    await put(page, 'Too late');
    await untilText('#editor-put-state', /has come into force since the draft was made/);
    expect(readFileSync(venuesFile, 'utf8')).toBe(deployed);
  });
});
