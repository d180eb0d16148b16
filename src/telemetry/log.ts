import { join } from 'node:path';
import { type DestinationStream, type Logger, pino } from 'pino';
import buildRoll from 'pino-roll';

export type { Logger } from 'pino';

/** Log files kept: the specification asks for at least 90 days on both sides (section 8), one file a day. */
const LOG_FILES_KEPT = 90;

/** Bytes of log that may wait for a blocked sink before lines are dropped: the till never waits for a log. */
const MAX_BUFFERED_BYTES = 8 * 1024 * 1024;

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
    },
    sink as unknown as DestinationStream,
  );
  return { log, close: () => closeSink(sink) };
}

type Sink = ReturnType<typeof pino.destination>;

function openStdout(): Sink {
  return pino.destination({ dest: 1, sync: false, maxLength: MAX_BUFFERED_BYTES });
}

async function openDailyFiles(dir: string): Promise<Sink> {
  const roll = await buildRoll({
    file: join(dir, 'service'),
    extension: '.log',
    frequency: 'daily',
    dateFormat: 'yyyy-MM-dd',
    mkdir: true,
    limit: { count: LOG_FILES_KEPT, removeOtherLogFiles: true },
    maxLength: MAX_BUFFERED_BYTES,
  });
  return roll as unknown as Sink;
}

/** Writes what is buffered; a sink that does not take it within a second is left. */
function closeSink(sink: Sink): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 1000);
    sink.flush(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
