import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Ends everything that the harness started. Processes and folders are registered at their creation; those still
 * registered at the end of the harness are killed and removed.
 */

const processes = new Set<number>();
const folders = new Set<string>();

process.on('exit', cleanUp);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/**
 * Makes a new folder in the system's temporary folder. Its name is short, because a unix socket's path has at most 107
 * bytes.
 */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lb-'));
  folders.add(folder);
  return folder;
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  folders.delete(folder);
}

export function enterProcess(pid: number): void {
  processes.add(pid);
}

export function strikeProcess(pid: number): void {
  processes.delete(pid);
}

function cleanUp(): void {
  for (const pid of processes) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has ended already.
    }
  }
  for (const folder of folders) removeFolder(folder);
}
