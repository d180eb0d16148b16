import { canUseApt, installWithApt } from './apt.mjs';
import { findOnPath } from './paths.mjs';
import { announce, SetupError } from './report.mjs';

/** The browser that the tests of the pages drive, or undefined. */
export function findChromium() {
  return findOnPath('chromium') ?? findOnPath('chromium-browser') ?? findOnPath('google-chrome');
}

/**
 * Installs Chromium where that asks no question. The tests of the pages are the only ones that need it, and skip
 * themselves loudly without it: a machine that cannot have one still runs all the others.
 */
export function provideChromium() {
  try {
    if (canUseApt()) installWithApt('chromium', 'about a minute');
    else announce('no Chromium on PATH: the tests of the pages in a browser are skipped');
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    announce(`${error.message}: the tests of the pages in a browser are skipped`);
  }
}
