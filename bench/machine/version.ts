import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './cleanup.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** What a version consists of; packages are shared. */
const PARTS = ['src', 'workers', 'package.json'];

/** A folder that holds a version of the sources, of this repository's history, and the packages of today. */
export function prepareFolder(commit: string): string {
  const place = temporaryFolder();
  putVersion(place, commit);
  symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'));
  return place;
}

/** Puts a commit, or the version at hand, into the place of whatever is there. */
export function putVersion(place: string, commit: string | undefined): void {
  for (const part of PARTS) rmSync(join(place, part), { recursive: true, force: true });
  if (commit === undefined) {
    for (const part of PARTS) cpSync(join(ROOT, part), join(place, part), { recursive: true });
    return;
  }
  mkdirSync(place, { recursive: true });
  const archive = git('archive', commit, ...PARTS);
  execFileSync('tar', ['-x', '-C', place], { input: archive });
}

/** A commit with its subject. Throws, naming it, when there is none. */
export function describeCommit(commit: string): string {
  try {
    return git('log', '-1', '--format=%h %s', commit, '--').toString().trim();
  } catch (cause) {
    throw new Error(`--changes: found "${commit}", allowed: commits of this repository, separated by commas`, {
      cause,
    });
  }
}

function git(...args: string[]): Buffer {
  return execFileSync('git', ['-C', ROOT, ...args], { maxBuffer: 64 * 1024 * 1024, stdio: ['ignore', 'pipe', 'pipe'] });
}
