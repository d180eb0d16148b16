import { canUseApt, installWithApt } from './apt.mjs';
import { findProgram } from './paths.mjs';
import { announce, SetupError } from './report.mjs';
import { canUnpack, installUnpacked } from './unpacked.mjs';

/** The one on PATH is a script that names places of an installed package. */
const PROGRAM = 'usr/lib/chromium/chromium';

/** Finds the browser for the tests of the pages, or returns undefined. */
export function findChromium() {
  return findProgram('chromium') ?? findProgram('chromium-browser') ?? findProgram('google-chrome');
}

/**
 * Installs Chromium if that needs no interaction. Only the tests of the pages need it, and they skip themselves with a
 * message without it; a machine without Chromium still runs all other tests.
 */
export function provideChromium() {
  try {
    if (canUseApt()) installWithApt('chromium', 'about a minute');
    else if (canUnpack()) installUnpacked('chromium', 'about two minutes', [PROGRAM]);
    else announce('no Chromium on PATH: the tests of the pages in a browser are skipped');
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    announce(`${error.message}: the tests of the pages in a browser are skipped`);
  }
}
