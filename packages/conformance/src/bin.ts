#!/usr/bin/env node
import { readFileSync } from 'node:fs';

/** The command, once it is clear that this Node can run it: an older one would fail somewhere inside, and say nothing useful. */

const TOO_OLD_EXIT_CODE = 2;
const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  engines: { node: string };
};
const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(engines.node) ?? [];
const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number);

if (ownMajor < Number(major) || (ownMajor === Number(major) && ownMinor < Number(minor))) {
  process.stderr.write(`loyalty-conformance: needs Node ${major}.${minor} or newer, and this is ${process.version}\n`);
  process.exitCode = TOO_OLD_EXIT_CODE;
} else {
  const { runCommandLine } = await import('./run-command-line.ts');
  await runCommandLine();
}
