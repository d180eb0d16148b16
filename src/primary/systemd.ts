import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Lifetime } from '../process/lifetime.ts';
import type { Settings } from '../settings.ts';
import type { Logger } from '../telemetry/log.ts';

/** Signs of life in the time after which systemd kills the service. */
const PINGS_PER_TIMEOUT = 3;

/**
 * Passes each line on to systemd. Node has no datagram sockets of the kind that systemd listens on, and `systemd-notify` is
 * on every machine that runs systemd. One shell starts it for every line: starting a program from a process of 450 MB
 * holds the event loop for 30 ms, and this process would do that every ten seconds.
 */
const HELPER = 'while read -r line; do systemd-notify "$line" || exit 1; done';

/**
 * Opens the reports to systemd where it started this process, so that its watchdog restarts a service that hangs. Returns the
 * function that reports the end of the start. Its argument is asked before every sign of life from then on, and false leaves it out.
 */
export function openSystemd(
  { systemd, searchPath }: Settings,
  lifetime: Lifetime,
  log: Logger,
): (isAnswering: () => boolean) => void {
  if (!systemd) return () => undefined;
  const { socket, watchdogMs } = systemd;
  let isClosed = false;
  let hasWarned = false;
  let timer: NodeJS.Timeout | undefined;
  let helper: ChildProcess | undefined;
  const warn = (reason: string): void => {
    helper = undefined;
    if (isClosed || hasWarned) return;
    hasWarned = true;
    log.warn({ reason }, 'systemd cannot be notified');
  };
  // Started at once, while this process is small.
  helper = startHelper(socket, searchPath, warn);
  const send = (line: string): void => {
    helper ??= startHelper(socket, searchPath, warn);
    helper.stdin?.write(`${line}\n`);
  };
  lifetime.add(() => {
    isClosed = true;
    clearInterval(timer);
    // The shell ends with its input.
    helper?.stdin?.end();
  });
  return (isAnswering) => {
    send('READY=1');
    if (watchdogMs === undefined) return;
    const ping = (): void => {
      if (isAnswering()) send('WATCHDOG=1');
    };
    ping();
    timer = setInterval(ping, watchdogMs / PINGS_PER_TIMEOUT).unref();
  };
}

/** Starts the shell; `onEnd` is called once with the reason when it has ended, and the next line starts another one. */
function startHelper(socket: string, searchPath: string, onEnd: (reason: string) => void): ChildProcess {
  const env = { NOTIFY_SOCKET: socket, PATH: searchPath };
  const helper = spawn('sh', ['-c', HELPER], { env, stdio: ['pipe', 'ignore', 'pipe'] });
  let reason = '';
  let hasEnded = false;
  const end = (): void => {
    if (!hasEnded) onEnd(reason.trim() || 'the shell ended');
    hasEnded = true;
  };
  // Without a free descriptor it has no streams, and is not closed either.
  const { stdin, stderr }: { readonly stdin: Writable | undefined; readonly stderr: Readable | undefined } = helper;
  stderr?.on('data', (chunk: Buffer) => {
    reason = chunk.toString();
  });
  helper.on('error', (error) => {
    reason = error.message;
    end();
  });
  helper.once('close', end);
  stdin?.on('error', () => undefined);
  // Nothing here keeps the process alive.
  helper.unref();
  for (const stream of [stdin, stderr] as unknown as ({ unref?: () => void } | undefined)[]) stream?.unref?.();
  return helper;
}
