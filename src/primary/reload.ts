import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReloadCause, ReloadOutcome } from '../../packages/console/src/admin/administration.ts';
import { obeySignal } from '../process/kept-signals.ts';
import { repeat } from '../process/repeat.ts';
import { ConfigurationError } from '../programme/configuration-error.ts';
import { isEnvironmentFile, MAX_FOLDER_DEPTH } from '../programme/source.ts';
import { RestartDelay } from '../redis/restart-delay.ts';
import { SettingsError } from '../settings/settings-error.ts';
import type { Settings } from '../settings.ts';
import type { Logger } from '../telemetry/log.ts';

/**
 * How often the files are checked. Polling works for editors, mounts and network folders alike, unlike notifications.
 */
const LOOK_INTERVAL_MS = 1000;
/**
 * A changed file is put in force after two looks have found it equal, so that a file that is still being written is not: half
 * of a configuration is often valid, and has fewer benefits and venues. A copy over a network may pause for a moment.
 */
const SETTLE_MS = 1000;
/** A reload that somebody asks for follows a finished change, and the one who asks waits for it. */
const ASKED_SETTLE_MS = 200;
const MOST_SETTLING_MS = 10_000;

export interface ReloadWork {
  readonly log: Logger;
  readonly files: readonly string[];
  /** The state of the files before the configuration in force was read, from `lookAt`. */
  readonly seen: string;
  /** Checks the whole configuration, then puts it in force. When it throws, the old one stays. */
  readonly apply: () => Promise<ReloadOutcome>;
}

/** The files that a reload reads; the environment may be a folder of files. */
export function reloadFiles({ environmentFile, secretsFile }: Settings): string[] {
  return secretsFile === undefined ? [environmentFile] : [environmentFile, secretsFile];
}

/**
 * Describes the state of some files as one text: real path (a mounted folder changes by a symbolic link alone), inode,
 * size and times. A missing file is a state too, and so are the names in a folder.
 */
export async function lookAt(files: readonly string[]): Promise<string> {
  const listed = await Promise.all(files.map((file) => listFiles(file)));
  const states = await Promise.all(
    listed.flat().map(async (file) => {
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
 * The files of a folder that a reload would read, or the file itself, which may be missing. The state of the folder
 * itself is left out: it changes with every copy that an editor keeps. Nothing here waits for a slow disk.
 */
async function listFiles(path: string, depth = 0): Promise<string[]> {
  if (depth > MAX_FOLDER_DEPTH) return [];
  const names = await readdir(path).catch(() => undefined);
  if (names === undefined) return depth === 0 || isEnvironmentFile(path) ? [path] : [];
  const visible = names.filter((name) => !name.startsWith('.')).toSorted();
  return (await Promise.all(visible.map((name) => listFiles(join(path, name), depth + 1)))).flat();
}

/** The results of reloads of configuration and secrets since the start. */
export interface ReloadResults {
  readonly succeeded: number;
  readonly refused: number;
  /** True from a refused reload until one succeeds: the files on the disk are not in force. */
  readonly isLastRefused: boolean;
  /** Milliseconds since 1970. The start counts too, because it loaded a configuration. */
  readonly lastSuccessMs: number;
}

/** The result of a reload, and whether the same files may be taken over later. */
interface Attempt {
  readonly outcome: ReloadOutcome;
  /** Why the files are not in force, each error in a line; undefined when they are. */
  readonly refusal: string | undefined;
  /** False where an error is in the files themselves: only other files can be put in force. */
  readonly mayPass: boolean;
}

/**
 * Runs reloads one after the other, whether a signal, the administration or a changed file asks for them. Files with an
 * error are tried once, so that they make a single log line. Files that are right and were not taken over everywhere,
 * because a process had ended or could start no thread, are tried again after growing pauses.
 */
export class Reloader {
  readonly #work: ReloadWork;
  #seen: string;
  #last: Promise<unknown> = Promise.resolve();
  #isStopped = false;
  #refusal: string | undefined;
  #succeeded = 0;
  #refused = 0;
  #lastSuccessMs = Date.now();
  #pauses = new RestartDelay();
  /** When the files are tried again; undefined while nothing speaks for it. */
  #retryMs: number | undefined;

  constructor(work: ReloadWork) {
    this.#work = work;
    this.#seen = work.seen;
  }

  /** Why the files on the disk are not in force, each error in a line; undefined while they are. */
  get refusal(): string | undefined {
    return this.#refusal;
  }

  get results(): ReloadResults {
    return {
      succeeded: this.#succeeded,
      refused: this.#refused,
      isLastRefused: this.#refusal !== undefined,
      lastSuccessMs: this.#lastSuccessMs,
    };
  }

  /** Reloads after all earlier reloads, reading the files anew. Never throws. */
  run(cause: ReloadCause): Promise<ReloadOutcome> {
    const reload = async (): Promise<ReloadOutcome> => {
      const { outcome, refusal, mayPass } = await this.#attempt(cause);
      if (cause !== 'retry' || refusal !== this.#refusal) this.#tell(cause, outcome);
      this.#refusal = refusal;
      if (refusal === undefined) {
        this.#succeeded += 1;
        this.#lastSuccessMs = Date.now();
      } else this.#refused += 1;
      if (cause !== 'retry') this.#pauses = new RestartDelay();
      this.#retryMs = mayPass ? performance.now() + this.#pauses.take(0) : undefined;
      return outcome;
    };
    const done = this.#last.then(reload);
    this.#last = done;
    return done;
  }

  /** Reloads on SIGHUP and when a file changes. Returns the function that stops the watch. */
  watch(): () => void {
    obeySignal('SIGHUP', () => void this.run('signal'));
    const stop = repeat(LOOK_INTERVAL_MS, () => this.#look());
    return () => {
      this.#isStopped = true;
      stop();
    };
  }

  async #attempt(cause: ReloadCause): Promise<Attempt> {
    const { files, apply } = this.#work;
    try {
      // The watch has waited already.
      const hasSettled = cause === 'file change' || cause === 'retry';
      this.#seen = hasSettled ? await lookAt(files) : await settle(files);
      const outcome = await apply();
      if (outcome.outcome === 'reloaded') return { outcome, refusal: undefined, mayPass: false };
      const isPartial = outcome.outcome === 'incomplete';
      const refusal = `${isPartial ? `not every process runs ${outcome.configuration}: ` : ''}${outcome.reason}`;
      return { outcome, refusal, mayPass: true };
    } catch (error) {
      const reason = (error as Error).message;
      const refusal = error instanceof ConfigurationError ? error.lines.join('\n') : reason;
      const isOfFiles = error instanceof ConfigurationError || error instanceof SettingsError;
      return { outcome: { outcome: 'refused', reason }, refusal, mayPass: !isOfFiles };
    }
  }

  #tell(cause: ReloadCause, outcome: ReloadOutcome): void {
    const { log } = this.#work;
    if (outcome.outcome === 'reloaded') log.info({ cause, ...outcome }, 'reloaded');
    else if (outcome.outcome === 'incomplete') log.warn({ cause, ...outcome }, 'reload incomplete');
    else log.error({ cause, reason: outcome.reason }, 'reload refused, the old configuration stays');
  }

  async #look(): Promise<void> {
    const { files } = this.#work;
    let state = await lookAt(files);
    if (state === this.#seen && this.#retryMs !== undefined && performance.now() >= this.#retryMs) {
      await this.run('retry');
      return;
    }
    while (state !== this.#seen && !this.#isStopped) {
      await pause(SETTLE_MS);
      const later = await lookAt(files);
      if (later === state && state !== this.#seen) {
        await this.run('file change');
        return;
      }
      state = later;
    }
  }
}

/** Waits until two looks at the files are equal, and returns what they saw. Throws when the files go on changing. */
async function settle(files: readonly string[]): Promise<string> {
  let state = await lookAt(files);
  for (let waitedMs = 0; waitedMs < MOST_SETTLING_MS; waitedMs += ASKED_SETTLE_MS) {
    await pause(ASKED_SETTLE_MS);
    const later = await lookAt(files);
    if (later === state) return state;
    state = later;
  }
  throw new Error('the files are still being written');
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs).unref());
}
