import { canUseApt, installWithApt } from './apt.mjs';
import { findOnPath } from './paths.mjs';
import { announce, SetupError } from './report.mjs';

/** Finds the browser for the tests of the pages, or returns undefined. */
export function findChromium() {
  return findOnPath('chromium') ?? findOnPath('chromium-browser') ?? findOnPath('google-chrome');
}

/**
 * Installs Chromium if that needs no interaction. Only the tests of the pages need it, and they skip themselves with a
 * message without it; a machine without Chromium still runs all other tests. Unpacked without being installed it has no
 * fonts and ends at the first page.
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
