import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockFolder, lockOwnerFile } from './paths.mjs';
import { announce, SetupError } from './report.mjs';

const pollMs = 200;
const longestWaitMs = 15 * 60 * 1000;
/** The programs that may own the lock: the set-up, the tests and the benchmark, which fetch what only they need. */
const ownerPrograms = /setup\.mjs|vitest|bench/;
/** Ends when everybody in this process who has asked so far has had the lock. */
let turn = Promise.resolve();

/**
 * Runs `work` while no other set-up of this folder runs, in this process or another. The lock is a folder with one file, named by its owner's
 * process id; the file's content is the process id of the command that the owner runs, if any.
 * @param {() => void} work
 */
export function withSetupLock(work) {
  const done = turn.then(() => withLock(work));
  turn = done.catch(() => {});
  return done;
}

/** @param {() => void} work */
async function withLock(work) {
  await acquire();
  try {
    work();
  } finally {
    release();
  }
}

/**
 * Acquires the lock. Renaming a folder onto another is atomic, and succeeds only when the other is missing or empty. So
 * the folder is made elsewhere with the owner's file inside and renamed into place. A dead owner's file is deleted by
 * name, which can never hit a living owner's file. Of several renames that follow, one wins.
 */
async function acquire() {
  const own = `${lockFolder}.${process.pid}`;
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, String(process.pid)), '');
  const waitingSince = Date.now();
  let announced = false;
  while (!renamed(own)) {
    const owner = currentOwner();
    if (owner !== undefined && !isRunning(owner)) rmSync(lockOwnerFile(owner), { force: true });
    else if (owner !== undefined && !announced) {
      announce(`another set-up is running (process ${owner}); waiting for it`);
      announced = true;
    }
    if (Date.now() - waitingSince > longestWaitMs) {
      rmSync(own, { recursive: true, force: true });
      throw new SetupError(`another set-up (process ${owner}) has not ended; stop it, or delete ${lockFolder}`);
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

function release() {
  rmSync(lockOwnerFile(process.pid), { force: true });
  try {
    rmdirSync(lockFolder);
  } catch {
    // A waiting set-up has already moved its own folder in.
  }
}

/** @param {string} own */
function renamed(own) {
  try {
    renameSync(own, lockFolder);
    return true;
  } catch (error) {
    const code = /** @type {NodeJS.ErrnoException} */ (error).code;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    throw error;
  }
}

function currentOwner() {
  try {
    const [owner] = readdirSync(lockFolder);
    return owner === undefined ? undefined : Number(owner);
  } catch {
    return undefined;
  }
}

/**
 * True while the owner's set-up or its command runs. The asking process itself owns no lock yet.
 * @param {number} owner
 */
function isRunning(owner) {
  if (owner === process.pid) return false;
  return isProcess(owner, ownerPrograms) || isProcess(commandOf(owner), /npm|apt-get|brew/);
}

/** @param {number} owner */
function commandOf(owner) {
  try {
    return Number(readFileSync(lockOwnerFile(owner), 'utf8'));
  } catch {
    return 0;
  }
}

/**
 * True when a process lives and, if /proc can tell, is the expected program: process ids are reused.
 * @param {number} pid 0 for none
 * @param {RegExp} program
 */
function isProcess(pid, program) {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
  try {
    return program.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return true;
  }
}
