import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { findOnPath } from './paths.mjs';
import { runQuietly, SetupError } from './report.mjs';

/** Flags of every install. Retries are short, so that a machine without network gets its answer in seconds. */
export const npmInstallFlags = [
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
  '--fetch-retries=2',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=5000',
];

/**
 * Runs npm with the given Node, which is also put first on PATH: npm chooses optional platform packages by the Node
 * that runs it.
 * @param {string} node
 * @param {string[]} args
 * @param {{ cwd: string, failure: string }} options
 */
export function runNpm(node, args, { cwd, failure }) {
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
  runQuietly(node, [npmProgram(), ...args], { cwd, env, failure });
}

/**
 * Finds the JavaScript file of npm: the npm that runs this, else the one on PATH, else the one beside the system's
 * Node.
 */
export function npmProgram() {
  const running = process.env.npm_execpath;
  if (running?.endsWith('npm-cli.js')) return running;
  const onPath = findOnPath('npm');
  const besideNode = join(dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js');
  const candidates = onPath === undefined ? [besideNode] : [realpathSync(onPath), besideNode];
  const program = candidates.find((path) => path.endsWith('.js') && existsSync(path));
  if (program === undefined)
    throw new SetupError('npm was not found beside Node or on PATH; install npm and try again');
  return program;
}
