import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolchain } from './paths.mjs';
import { announce, SetupError } from './report.mjs';

const lockFolder = join(toolchain, 'set-up.lock');
const pollMs = 200;
const longestWaitMs = 15 * 60 * 1000;

/**
 * Runs `work` while no other set-up of this folder runs. The lock is a folder that holds one file, named by its
 * owner's process id.
 * @param {() => void} work
 */
export async function withSetupLock(work) {
  await acquire();
  try {
    work();
  } finally {
    release();
  }
}

/**
 * A folder is renamed onto another only when that is missing or empty, and atomically. So the folder, owner inside,
 * is made elsewhere and renamed into place; a dead owner's file is deleted by name, which can never hit a living
 * owner's; and of all who then rename, one wins.
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
    if (owner !== undefined && !isRunningSetup(owner)) rmSync(join(lockFolder, String(owner)), { force: true });
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
  rmSync(join(lockFolder, String(process.pid)), { force: true });
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
 * False when the process has ended, when it is this one (which owns nothing yet while it asks), or when its number now belongs to another program (told where /proc exists).
 * @param {number} pid
 */
function isRunningSetup(pid) {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('setup.mjs');
  } catch {
    return true;
  }
}
