import { realpath, stat } from 'node:fs/promises';
import type { ReloadCause, ReloadOutcome } from '../ops/admin/administration.ts';
import type { Settings } from '../settings.ts';
import type { Logger } from '../telemetry/log.ts';

/** How often the files are looked at. Asked for, not notified of: it works for editors, mounts and network folders alike. */
const LOOK_INTERVAL_MS = 1000;
/** A file is read once it has stayed as it is for this long, so that a half-written one is not. */
const SETTLE_MS = 200;

export interface ReloadWork {
  readonly log: Logger;
  readonly files: readonly string[];
  /** The files as they were before the configuration in force was read: `lookAt`. */
  readonly seen: string;
  /** Checks everything, then takes it over; throws what keeps the old configuration. */
  readonly apply: (cause: ReloadCause) => Promise<ReloadOutcome>;
}

/** The files that a reload reads. */
export function reloadFiles({ environmentFile, secretsFile }: Settings): string[] {
  return secretsFile === undefined ? [environmentFile] : [environmentFile, secretsFile];
}

/**
 * What tells one state of some files from another, as one text: where each one really is (a mounted folder changes by a
 * symbolic link alone), which one it is, its size and its times. A file that is not there is a state too.
 */
export async function lookAt(files: readonly string[]): Promise<string> {
  const states = await Promise.all(
    files.map(async (file) => {
      try {
        const [path, facts] = [await realpath(file), await stat(file, { bigint: true })];
        return [path, facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs].join(' ');
      } catch (error) {
        return (error as NodeJS.ErrnoException).code ?? 'error';
      }
    }),
  );
  return states.join('\n');
}

/**
 * Reloads, one after the other, whoever asks: a signal, the administration, or a change of the files. Each file state is
 * looked at once, so a file that is refused is refused in one line of the log.
 */
export class Reloader {
  readonly #work: ReloadWork;
  #seen: string;
  #last: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(work: ReloadWork) {
    this.#work = work;
    this.#seen = work.seen;
  }

  /** Reloads when everything asked for before is done: what has changed meanwhile is read again. Throws nothing. */
  run(cause: ReloadCause): Promise<ReloadOutcome> {
    const { log, files, apply } = this.#work;
    const reload = async (): Promise<ReloadOutcome> => {
      this.#seen = await lookAt(files);
      try {
        const outcome = await apply(cause);
        log.info({ cause, ...outcome }, outcome.outcome === 'reloaded' ? 'reloaded' : 'reload incomplete');
        return outcome;
      } catch (error) {
        const reason = (error as Error).message;
        log.error({ cause, reason }, 'reload refused, the old configuration stays');
        return { outcome: 'refused', reason };
      }
    };
    const done = this.#last.then(reload);
    this.#last = done;
    return done;
  }

  /** Reloads on SIGHUP, and by itself when a file changes. Returns what stops the watch. */
  watch(): () => void {
    process.on('SIGHUP', () => void this.run('signal'));
    this.#lookLater();
    return () => {
      this.#isStopped = true;
      clearTimeout(this.#timer);
    };
  }

  #lookLater(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#look().finally(() => this.#lookLater()), LOOK_INTERVAL_MS).unref();
  }

  async #look(): Promise<void> {
    const { files } = this.#work;
    let state = await lookAt(files);
    while (state !== this.#seen && !this.#isStopped) {
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS).unref());
      const later = await lookAt(files);
      if (later === state && state !== this.#seen) {
        await this.run('file change');
        return;
      }
      state = later;
    }
  }
}
