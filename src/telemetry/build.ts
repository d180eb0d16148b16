import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The build that a process runs. */
export interface Build {
  /** Version of the package. */
  readonly version: string;
  /** The commit of its files; `unknown` where nothing names it. */
  readonly commit: string;
}

const ROOT = join(import.meta.dirname, '..', '..');
const COMMIT = /^[0-9a-f]{40,64}$/;

/** Reported when a thread or a page would come from other files than the process was started from. */
export const CODE_CHANGED = 'the code on the disk has changed since this process started: restart it';

/**
 * The build of the files on the disk: the version of package.json, and `gitHead` of it, which a release writes, or the commit that
 * is checked out.
 */
function readBuild(): Build {
  const { version, gitHead } = JSON.parse(read(join(ROOT, 'package.json')) ?? '{}');
  return { version: String(version), commit: gitHead ?? readCheckedOut(ROOT) ?? 'unknown' };
}

/** The build that this process runs. It is read when the process starts, because the files may change below a running process. */
export const OWN_BUILD = readBuild();

/** The build that this process runs; `commit` is the one that an image was built with, which wins. */
export function buildOf({ commit }: { readonly commit: string | undefined }): Build {
  return { ...OWN_BUILD, ...(commit !== undefined && { commit }) };
}

/** True where the files on the disk are of another build than `build`: messages of one version may not fit another. */
export function hasCodeChanged(build: Build = OWN_BUILD): boolean {
  const { version, commit } = readBuild();
  return version !== build.version || commit !== build.commit;
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
