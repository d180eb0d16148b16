import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..', '..');
const FOLDERS = ['src', 'workers'];
const FILES = ['package.json', join('node_modules', '.package-lock.json')];
/** Programs and Redis' scripts. */
const CODE = /\.(?:ts|lua)$/;
/** Rooms of which no thread of the service loads anything. */
const ELSEWHERE = ['gateway', 'ops', 'process', 'tools'];
/** Looking costs milliseconds of the event loop, and whoever waits for threads asks often. */
const LOOK_INTERVAL_MS = 2000;

/** Says to an operator why no thread starts. */
export const CODE_CHANGED = 'the code on the disk has changed since this process started: restart it';

/**
 * Identifies the code of threads on the disk by its contents: times would also differ after a copy of the same version.
 */
function identifyCode(): string {
  const hash = createHash('sha256');
  for (const folder of FOLDERS) {
    const names = list(join(ROOT, folder));
    for (const name of names) hash.update(name).update(readFileSync(join(ROOT, folder, name)));
  }
  for (const file of FILES) hash.update(read(join(ROOT, file)));
  return hash.digest('hex');
}

function list(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .flatMap((entry) => {
      if (entry.isDirectory() && ELSEWHERE.includes(entry.name)) return [];
      if (entry.isDirectory()) return list(join(folder, entry.name)).map((name) => join(entry.name, name));
      return CODE.test(entry.name) ? [entry.name] : [];
    })
    .sort();
}

/** An installation without npm has no list of its packages. */
function read(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch {
    return new Uint8Array();
  }
}

/** The code that this process, or this thread, was started from. */
export const CODE_AT_START = identifyCode();

/**
 * True when a thread that starts now would run other code than this process: its files were replaced by another version.
 * While they are being replaced they may be missing.
 */
export function hasCodeChanged(): boolean {
  const nowMs = performance.now();
  if (nowMs - lookedAtMs < LOOK_INTERVAL_MS) return wasChanged;
  lookedAtMs = nowMs;
  try {
    wasChanged = identifyCode() !== CODE_AT_START;
  } catch {
    wasChanged = true;
  }
  return wasChanged;
}

let lookedAtMs = Number.NEGATIVE_INFINITY;
let wasChanged = false;

/** Ends the start of a thread whose code differs from that of its process, given by `code`. */
export function requireSameCode(code: string): void {
  if (code !== CODE_AT_START) throw new Error(CODE_CHANGED);
}
