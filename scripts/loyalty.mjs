#!/usr/bin/env node
/**
 * `npx loyalty …` in this folder: runs the set-up if something is missing, and then the command line in the project's
 * own Node. This file itself runs on any system Node from 18.17 on.
 */
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { nodeLink, root } from './setup/paths.mjs';

/** A shell's exit code for a program that a signal ended is this plus the signal's number. */
const ENDED_BY_SIGNAL = 128;
/** How often the parent is looked at. */
const PARENT_INTERVAL_MS = 200;
const SIGNAL_NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };

// Standard output belongs to the command: the set-up's messages would end up in an export.
const setup = spawnSync(process.execPath, [join(root, 'scripts', 'setup.mjs')], { stdio: ['ignore', 2, 2] });
if (setup.status === 0) run(process.argv.slice(2));
else process.exitCode = setup.status ?? 1;

/** @param {string[]} args */
function run(args) {
  const child = spawn(nodeLink, [join(root, 'packages', 'tools', 'src', 'loyalty.ts'), ...args], { stdio: 'inherit' });
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP'])) process.on(signal, () => child.kill(signal));
  // npx passes SIGTERM on to its shell alone, which ends without a word to this process.
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM');
  }, PARENT_INTERVAL_MS);
  if (process.env['npm_config_user_agent'] === undefined) clearInterval(watch);
  watch.unref();
  // A terminal sends Ctrl-C to the command too; a forwarded one would count as a second Ctrl-C.
  process.on('SIGINT', () => {});
  child.on('error', (error) => {
    console.error(`loyalty: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    const number = signal === null ? undefined : /** @type {Record<string, number>} */ (SIGNAL_NUMBERS)[signal];
    process.exitCode = code ?? ENDED_BY_SIGNAL + (number ?? 0);
  });
}
