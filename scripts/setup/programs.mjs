import { canUseApt, installWithApt } from './apt.mjs';
import { findProgram } from './paths.mjs';
import { announce, SetupError } from './report.mjs';
import { canUnpack, installUnpacked } from './unpacked.mjs';

/** Programs that the pages tell people to use, and tests therefore run. Each is Debian's package of the same name. */
const PROGRAMS = ['curl', 'openssl'];

/** The programs that are missing. */
export function missingPrograms() {
  return PROGRAMS.filter((name) => findProgram(name) === undefined);
}

/** Installs them if that needs no interaction; the tests that call a program name it when it is missing. */
export function providePrograms() {
  for (const name of missingPrograms()) {
    try {
      if (canUseApt()) installWithApt(name, 'some seconds');
      else if (canUnpack()) installUnpacked(name, 'some seconds', [`usr/bin/${name}`]);
      else announce(`no ${name} on PATH: the tests that call it will fail`);
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      announce(`${error.message}: the tests that call ${name} will fail`);
    }
  }
}
