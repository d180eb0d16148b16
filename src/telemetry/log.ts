import { constants, fstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import sonicBoom from 'sonic-boom';

/** The module is CommonJS: its class is a property of what is imported. */
const { SonicBoom } = sonicBoom;
type SonicBoom = InstanceType<typeof SonicBoom>;

export type { Logger } from 'pino';

/** Log files kept, one a day: both sides keep at least 90 days (interface, section 8). */
const LOG_FILES_KEPT = 90;

/** Bytes of log that may wait for a blocked sink before lines are dropped: the till never waits for a log. */
const MAX_BUFFERED_BYTES = 8 * 1024 * 1024;

/**
 * Lines gather to a page, or for this long, before they are written: a write for every call cost 4 % of it. A warning or
 * worse takes all that waits with it at once. What a killed process had not written yet is lost; one that ends writes
 * everything.
 */
const GATHERING = { minLength: 4096, periodicFlush: 50 } as const;

/** Pino's number of the level. */
const WARN = 40;

const STDOUT = 1;
const CLOSE_PATIENCE_MS = 1000;

export interface LogSettings {
  readonly level: string;
  /** Undefined: standard output. */
  readonly dir: string | undefined;
}

/** Opens the log: JSON lines with RFC 3339 time, written without blocking the event loop. */
export async function openLog(settings: LogSettings): Promise<{ log: Logger; close: () => Promise<void> }> {
  const sink = settings.dir === undefined ? openStdout() : await openDailyFiles(settings.dir);
  sink.on('error', () => {
    // A full disk must not end the service; the lines are lost and the next ones are tried again.
  });
  const log = pino(
    {
      level: settings.level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        logMethod(args, method, level) {
          method.apply(this, args);
          if (level >= WARN) sink.flush();
        },
      },
    },
    sink,
  );
  return { log, close: () => closeSink(sink) };
}

/**
 * Not `pino.destination`: it writes out what is left when the process ends, and on a full disk or a pipe that nobody reads
 * it tries that for ever.
 */
function openStdout(): SonicBoom {
  return new SonicBoom({ fd: openWithoutBlocking(STDOUT), sync: false, maxLength: MAX_BUFFERED_BYTES, ...GATHERING });
}

/** A write to a full pipe would hold a thread, and with it the process' end; opened anew, the pipe says "again" instead. */
function openWithoutBlocking(descriptor: number): number {
  try {
    if (!fstatSync(descriptor).isFIFO()) return descriptor;
    return openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_APPEND);
  } catch {
    // Not Linux: the pipe is used as it is.
    return descriptor;
  }
}

async function openDailyFiles(dir: string): Promise<SonicBoom> {
  // Loaded where it is used: its calendar library costs a start more than the rest of the log.
  const { default: buildRoll } = await import('pino-roll');
  const roll = await buildRoll({
    file: join(dir, 'service'),
    extension: '.log',
    frequency: 'daily',
    dateFormat: 'yyyy-MM-dd',
    mkdir: true,
    limit: { count: LOG_FILES_KEPT, removeOtherLogFiles: true },
    maxLength: MAX_BUFFERED_BYTES,
    ...GATHERING,
  });
  return roll as SonicBoom;
}

/** Writes what is buffered; a sink that does not take it within a second is left. */
function closeSink(sink: SonicBoom): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, CLOSE_PATIENCE_MS);
    sink.flush(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
