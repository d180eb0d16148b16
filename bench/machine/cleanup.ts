import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Nothing the harness starts may outlive it. Processes and folders are entered here when they come into being; what is
 * still entered when the harness ends, for whatever reason, is killed and removed then.
 */

const processes = new Set<number>();
const folders = new Set<string>();

process.on('exit', cleanUp);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/** A new folder under the system's own; its name is short, because a unix socket's path may have 107 bytes only. */
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
      // It has ended already.
    }
  }
  for (const folder of folders) removeFolder(folder);
}
