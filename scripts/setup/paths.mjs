import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const toolchain = join(root, '.toolchain');
export const nodeModules = join(root, 'node_modules');

/** The lock's folder, which contains a file of the set-up that has the lock. */
export const lockFolder = join(toolchain, 'set-up.lock');

/** @param {number} pid */
export function lockOwnerFile(pid) {
  return join(lockFolder, String(pid));
}

/** Programs of the project's own, which are used where the system has none. */
export const toolchainPrograms = join(toolchain, 'bin');

/** The name by which every command of package.json runs Node. */
export const nodeLink = join(toolchainPrograms, 'node');

/**
 * Finds the full path of a program on PATH, or returns undefined.
 * @param {string} program
 */
export function findOnPath(program) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, program)).find(isExecutableFile);
}

/**
 * Finds a program on PATH, else among the project's own.
 * @param {string} program
 */
export function findProgram(program) {
  const own = join(toolchainPrograms, program);
  return findOnPath(program) ?? (isExecutableFile(own) ? own : undefined);
}

/** @param {string} path */
export function isExecutableFile(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
