import type { Logger } from '../telemetry/log.ts';
import type { ServiceProcess } from './service-process.ts';

const WATCH_MS = 250;

/**
 * Watches the reports of the processes: one that is silent is logged, and one that hangs is killed, so that another takes
 * its place.
 *
 * Silence is counted in turns of the supervisor's own timer, and a turn counts for little more than its interval. When
 * the whole machine stood still (a laptop's sleep, a paused virtual machine, SIGSTOP to all), the supervisor did not run
 * either, so no process is blamed for that time.
 */
export class ProcessWatch {
  readonly #processes: () => readonly ServiceProcess[];
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  readonly #silent = new Set<ServiceProcess>();
  readonly #killed = new WeakSet<ServiceProcess>();
  #lastMs = performance.now();
  #hung = 0;

  constructor(processes: () => readonly ServiceProcess[], log: Logger) {
    [this.#processes, this.#log] = [processes, log];
    this.#timer = setInterval(() => this.#look(), WATCH_MS).unref();
  }

  /** Processes that were killed because they hung. */
  get hung(): number {
    return this.#hung;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const nowMs = performance.now();
    const turnMs = Math.min(nowMs - this.#lastMs, 2 * WATCH_MS);
    this.#lastMs = nowMs;
    for (const [index, process] of this.#processes().entries()) {
      if (process.hasEnded) continue;
      process.addSilence(turnMs);
      this.#judge(process, index + 1);
    }
    for (const process of this.#silent) if (process.hasEnded) this.#silent.delete(process);
  }

  #judge(process: ServiceProcess, number: number): void {
    if (process.isHung && !this.#killed.has(process)) {
      this.#killed.add(process);
      this.#hung += 1;
      this.#log.error({ hung: number, pid: process.child?.pid }, 'process hung, it is killed and replaced');
      process.kill();
    } else if (process.isSilent && !this.#silent.has(process)) {
      this.#silent.add(process);
      this.#log.warn({ silent: number, pid: process.child?.pid }, 'process does not report');
    } else if (!process.isSilent && this.#silent.delete(process)) {
      this.#log.info({ silent: number }, 'process reports again');
    }
  }
}
