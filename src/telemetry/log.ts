import { constants, fstatSync, openSync, readlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import sonicBoom from 'sonic-boom';
import { permittedFields } from './log-fields.ts';
import { type LogLosses, LogWatch } from './log-watch.ts';

/** The module is CommonJS, so its class is a property of the import. */
const { SonicBoom } = sonicBoom;
type SonicBoom = InstanceType<typeof SonicBoom>;

export type { Logger } from 'pino';

/** Pino's logger, and how many of its lines were lost. */
export interface ServiceLog extends Logger {
  /** The lines that were lost until now. */
  readonly losses: () => LogLosses;
}

/** Days for which log files are kept: both sides keep at least 90 (interface, section 8). */
export const LOG_DAYS = 90;

/** The daily files begin with this name, as `service.2026-11-22.1.log`. */
export const LOG_BASE_NAME = 'service';

/**
 * Bytes of log that may wait for a blocked sink. Above it lines are dropped, because a till must never wait for a log.
 */
const MAX_BUFFERED_BYTES = 8 * 1024 * 1024;

/**
 * Lines are gathered up to so many bytes (the sink writes at most 16 KB at once), or for this long, before they are written: one write per call cost 4 % of the call.
 * A warning or worse flushes all waiting lines at once, unless another has done so within this long: in a flood of refused
 * calls a write per line would cost more than refusing. A killed process loses its waiting lines; a process that ends writes
 * them.
 */
const GATHERED_BYTES = 15_360;
const GATHERED_MS = 50;

/** Pino's numbers of the levels. */
const WARN = 40;
const ERROR = 50;

const [STDOUT, STDERR] = [1, 2];
/** A sink that two flushes in a row have not emptied further is stuck. */
const MOST_IDLE_FLUSHES = 2;
const CLOSE_PATIENCE_MS = 1000;

export interface LogSettings {
  readonly level: string;
  /** Undefined means standard output. */
  readonly dir: string | undefined;
  /** The number of the process, which stands in every line: 0 is the primary. */
  readonly process: number;
}

/** Opens the log: JSON lines with RFC 3339 time, written without blocking the event loop. */
export async function openLog(settings: LogSettings): Promise<{ log: ServiceLog; close: () => Promise<void> }> {
  const sink = settings.dir === undefined ? openStdout() : await openDailyFiles(settings.dir);
  sink.on('error', () => {
    // A full disk must not end the service; its lines are lost, and later lines are tried again.
  });
  const watch = new LogWatch(sink, settings.dir !== undefined || isNamedPipe(STDOUT));
  let flushedMs = Number.NEGATIVE_INFINITY;
  let isFlushDue = false;
  // The sink's own option flushes also when nothing waits: twenty writes of nothing a second, in every process.
  const flushLater = (): void => {
    if (isFlushDue) return;
    isFlushDue = true;
    setTimeout(() => {
      isFlushDue = false;
      sink.flush();
      if (watch.waiting > 0) flushLater();
    }, GATHERED_MS).unref();
  };
  const flushFor = (level: number): void => {
    flushLater();
    if (level < WARN) return;
    const nowMs = performance.now();
    if (level < ERROR && nowMs - flushedMs < GATHERED_MS) return;
    flushedMs = nowMs;
    sink.flush();
  };
  const log = pino(
    {
      level: settings.level,
      base: { process: settings.process },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: permittedFields },
      hooks: {
        logMethod(args, method, level) {
          method.apply(this, args);
          flushFor(level);
        },
      },
    },
    sink,
  );
  watch.start(log, settings.dir !== undefined);
  const close = (): Promise<void> => {
    watch.close();
    return closeSink(sink, watch);
  };
  return { log: Object.assign(log, { losses: () => watch.losses }), close };
}

/** The audit log: lines of the same log that are written whatever its level is. */
export function createAuditLog(log: Logger): Logger {
  const audit = log.child({});
  // As an option of the child it would be left out while the parent has the same level, and follow the parent later.
  audit.level = 'info';
  return audit;
}

/**
 * `pino.destination` is not used: at the process' end it retries the remaining lines endlessly on a full disk or a pipe
 * without a reader.
 */
function openStdout(): SonicBoom {
  return new SonicBoom({
    fd: openWithoutBlocking(STDOUT),
    sync: false,
    maxLength: MAX_BUFFERED_BYTES,
    minLength: GATHERED_BYTES,
  });
}

/**
 * Opens a pipe again without blocking: a write to a full pipe then fails with "again", where it would block a thread
 * and the process' end.
 */
function openWithoutBlocking(descriptor: number): number {
  try {
    if (!fstatSync(descriptor).isFIFO()) return descriptor;
    return openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_APPEND);
  } catch {
    // The system is not Linux, and the pipe is used unchanged.
    return descriptor;
  }
}

/** Another reader may open a pipe that has a name in the file system. */
function isNamedPipe(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFIFO() && readlinkSync(`/proc/self/fd/${descriptor}`).startsWith('/');
  } catch {
    return false;
  }
}

async function openDailyFiles(dir: string): Promise<SonicBoom> {
  // Imported only when log files are used, because its calendar library costs a start more time than the rest of the
  // log.
  const { default: buildRoll } = await import('pino-roll');
  const roll = await buildRoll({
    file: join(dir, LOG_BASE_NAME),
    extension: '.log',
    frequency: 'daily',
    dateFormat: 'yyyy-MM-dd',
    mkdir: true,
    // The archive removes files by their day, compressed ones too; the library sees no others.
    limit: { count: LOG_DAYS, removeOtherLogFiles: true },
    maxLength: MAX_BUFFERED_BYTES,
    minLength: GATHERED_BYTES,
  });
  return roll as SonicBoom;
}

/** Writes the buffered lines; gives up after a second, and reports what was lost on standard error. */
async function closeSink(sink: SonicBoom, watch: LogWatch): Promise<void> {
  const endMs = performance.now() + CLOSE_PATIENCE_MS;
  // The sink is done with a flush when the write is that was under way, and has then lines that came meanwhile.
  for (let [left, idle] = [watch.waiting, 0]; watch.waiting > 0 && idle < MOST_IDLE_FLUSHES; left = watch.waiting) {
    await flush(sink, Math.max(0, endMs - performance.now()));
    idle = watch.waiting < left ? 0 : idle + 1;
  }
  const lost = watch.end();
  if (lost > 0) report(`loyalty: ${lost} log lines were lost\n`);
}

function flush(sink: SonicBoom, patienceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, patienceMs);
    sink.flush(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Writes to standard error, if that is possible without waiting: it may be the same pipe. */
function report(text: string): void {
  try {
    writeSync(openWithoutBlocking(STDERR), text);
  } catch {
    // Nobody reads it, either.
  }
}
