import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** The service for the demo: a running one, or one that the demo starts and stops. */

const START_TIMEOUT_MS = 15_000;
const STOP_TIMEOUT_MS = 5_000;
const POLL_MS = 100;

export interface DemoService {
  readonly secret: string;
  /** True when the demo started it. */
  readonly isOwn: boolean;
  stop(): Promise<void>;
}

/** Finds the service at `baseUrl`, or starts one. Throws when it fails to start or its secret is missing. */
export async function openService(baseUrl: string, secretFile: string): Promise<DemoService> {
  if (await isListening(baseUrl)) return { secret: readSecret(secretFile), isOwn: false, stop: async () => {} };
  process.stdout.write(`Nothing answers at ${baseUrl}: starting a service for this demo.\n`);
  // The service gets its own process group: Ctrl-C then only closes the shop, which still needs the service.
  const child = spawn(process.execPath, ['src/main.ts'], { stdio: ['ignore', 'ignore', 'inherit'], detached: true });
  const endMs = performance.now() + START_TIMEOUT_MS;
  while (!(existsSync(secretFile) && (await isListening(baseUrl)))) {
    if (child.exitCode !== null || performance.now() > endMs) {
      child.kill('SIGTERM');
      throw new Error('the service did not start');
    }
    await sleep(POLL_MS);
  }
  return { secret: readSecret(secretFile), isOwn: true, stop: () => stop(child) };
}

function readSecret(file: string): string {
  if (!existsSync(file)) throw new Error(`there is no ${file}: name the service's secret with --secret-file`);
  return readFileSync(file, 'utf8').trim();
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  const endMs = performance.now() + STOP_TIMEOUT_MS;
  while (child.exitCode === null && child.signalCode === null && performance.now() < endMs) await sleep(POLL_MS);
}

function isListening(baseUrl: string): Promise<boolean> {
  return fetch(baseUrl).then(
    () => true,
    () => false,
  );
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
