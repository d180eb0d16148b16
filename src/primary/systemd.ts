import { type ChildProcess, spawn } from 'node:child_process';
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
 * Reports to systemd that the service has started, and from then on that it answers calls, so that systemd's watchdog
 * restarts a service that hangs.
 */
class SystemdNotifier {
  readonly #socket: string;
  readonly #watchdogMs: number | undefined;
  readonly #searchPath: string;
  readonly #log: Logger;
  #helper: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #hasWarned = false;

  constructor({ socket, watchdogMs }: NonNullable<Settings['systemd']>, searchPath: string, log: Logger) {
    [this.#socket, this.#watchdogMs, this.#searchPath, this.#log] = [socket, watchdogMs, searchPath, log];
    // Started at once, while this process is small.
    this.#start();
  }

  /** Reports the end of the start. `isAnswering` is asked before every sign of life, and false leaves it out. */
  ready(isAnswering: () => boolean): void {
    this.#send('READY=1');
    if (this.#watchdogMs === undefined) return;
    const ping = (): void => {
      if (isAnswering()) this.#send('WATCHDOG=1');
    };
    ping();
    this.#timer = setInterval(ping, this.#watchdogMs / PINGS_PER_TIMEOUT).unref();
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    // The shell ends with its input.
    this.#helper?.stdin?.end();
  }

  #send(line: string): void {
    if (this.#helper === undefined) this.#start();
    this.#helper?.stdin?.write(`${line}\n`);
  }

  #start(): void {
    const env = { NOTIFY_SOCKET: this.#socket, PATH: this.#searchPath };
    const helper = spawn('sh', ['-c', HELPER], { env, stdio: ['pipe', 'ignore', 'pipe'] });
    this.#helper = helper;
    let reason = '';
    const fail = (): void => {
      if (this.#helper !== helper) return;
      // The next line starts another one.
      this.#helper = undefined;
      if (this.#isClosed || this.#hasWarned) return;
      this.#hasWarned = true;
      this.#log.warn({ reason: reason.trim() || 'the shell ended' }, 'systemd cannot be notified');
    };
    helper.stderr?.on('data', (chunk: Buffer) => {
      reason = chunk.toString();
    });
    helper.on('error', (error) => {
      reason = error.message;
      fail();
    });
    helper.once('close', fail);
    helper.stdin?.on('error', () => undefined);
    // Nothing here keeps the process alive.
    helper.unref();
    (helper.stdin as unknown as { unref?: () => void })?.unref?.();
    (helper.stderr as unknown as { unref?: () => void })?.unref?.();
  }
}

/**
 * Opens the reports to systemd where it started this process. Returns the function that reports the end of the start, for
 * which the argument of `ready` answers whether calls are answered.
 */
export function openSystemd(
  { systemd, searchPath }: Settings,
  lifetime: Lifetime,
  log: Logger,
): SystemdNotifier['ready'] {
  if (!systemd) return () => undefined;
  const notifier = new SystemdNotifier(systemd, searchPath, log);
  lifetime.add(() => notifier.close());
  return (isAnswering) => notifier.ready(isAnswering);
}
