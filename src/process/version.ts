import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Build } from '../telemetry/build.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const COMMIT = /^[0-9a-f]{40,64}$/;
const MANIFEST = JSON.parse(read(join(ROOT, 'package.json')) ?? '{}');

/** The version in package.json. */
export const VERSION: string = MANIFEST.version;

/**
 * The commit of the files that this process runs: `gitHead` of package.json, which a release writes, or the commit that is
 * checked out. It is read when the process starts, because the files may change below a running process.
 */
const OWN_COMMIT: string | undefined = MANIFEST.gitHead ?? readCheckedOut(ROOT);

/** The build that this process runs; `commit` is the one that an image was built with, which wins. */
export function buildOf({ commit }: { readonly commit: string | undefined }): Build {
  return { version: VERSION, commit: commit ?? OWN_COMMIT ?? 'unknown' };
}

/**
 * The commit that is checked out in a clone or in one of its further work trees; undefined where there is none. The files
 * of git are read instead of asking git: a machine that runs the service may have no git, and git refuses to read a clone
 * that belongs to another user.
 */
export function readCheckedOut(root: string): string | undefined {
  const folder = gitFolder(join(root, '.git'));
  const head = read(join(folder, 'HEAD'))?.trim();
  if (head === undefined || COMMIT.test(head)) return head;
  const name = head.replace(/^ref: /, '');
  const common = resolve(folder, read(join(folder, 'commondir'))?.trim() ?? '.');
  const loose = read(join(common, name))?.trim();
  if (loose !== undefined) return COMMIT.test(loose) ? loose : undefined;
  const packed = read(join(common, 'packed-refs'))?.split('\n') ?? [];
  return packed.find((line) => line.endsWith(` ${name}`))?.split(' ')[0];
}

/** The folder with git's files; a further work tree has a file that names it. */
function gitFolder(path: string): string {
  if (!existsSync(path) || statSync(path).isDirectory()) return path;
  const named = /^gitdir: (.+)$/m.exec(read(path) ?? '')?.[1];
  return named === undefined ? path : resolve(path, '..', named);
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
