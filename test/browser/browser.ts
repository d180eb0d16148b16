/** A headless Chromium with a profile of its own, and a watch over everything that a page must not do. */
import { accessSync, constants, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { temporaryDirectory } from '../support/cleanup.ts';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The browser on PATH, as the set-up finds it; undefined where there is none. */
export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return ['chromium', 'chromium-browser', 'google-chrome']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

export interface WatchedPage {
  readonly page: Page;
  /** Errors of the page, and requests to another origin than its own; empty when it behaved. */
  readonly faults: readonly string[];
  /** Ends the browser and removes its profile. */
  close(): Promise<void>;
}

/** Opens a window of a given width on `origin`. */
export async function openWindow(
  executablePath: string,
  origin: string,
  width: number,
  timezoneId = 'UTC',
): Promise<WatchedPage> {
  const profile = temporaryDirectory();
  const context: BrowserContext = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: FLAGS,
    // Whatever it keeps beside its profile (sockets, crash reports) is removed with it.
    env: { PATH: process.env.PATH ?? '', HOME: profile, TMPDIR: profile },
    viewport: { width, height: 900 },
    locale: 'en-GB',
    timezoneId,
  });
  const faults: string[] = [];
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) faults.push(`request to ${request.url()}`);
  });
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      faults.push(`console: ${message.text()} ${message.location().url}`);
  });
  context.on('weberror', (error) => faults.push(`error: ${error.error().message}`));
  const page = context.pages()[0] ?? (await context.newPage());
  await page.goto(origin);
  const close = async () => {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  };
  return { page, faults, close };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What keeps people from using the page as it is shown now, by the rules of WCAG that a program can judge. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Evaluated by the browser's own console, so that the page's policy need not allow it.
  const { violations } = (await page.evaluate(`${axe}; axe.run()`)) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

const MOST_TABS = 120;

/** Presses Tab until the focus is on what has this name: the text of a button or link, or the label of a field. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const met: string[] = [];
  for (let count = 0; count < MOST_TABS; count += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(`(() => {
      const element = document.activeElement;
      const label = element?.labels?.[0];
      const named = label ? label.firstChild?.textContent : element?.textContent;
      return (named ?? '').trim();
    })()`);
    if (focused === name) return;
    met.push(String(focused));
  }
  throw new Error(`Tab never came to ${name}, only to: ${met.join(' | ')}`);
}

/** Types a number into the look-up's field and sends it, by the keyboard alone. */
export async function lookUp(page: Page, id: string): Promise<void> {
  await tabTo(page, 'Look-up');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Receipt');
  await page.keyboard.type(id);
  await page.keyboard.press('Enter');
}
