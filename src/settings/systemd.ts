import { quote, SettingsError, type Variables } from './settings-error.ts';

/** What systemd asks of a service that it started with `Type=notify`. */
export interface Systemd {
  /** The address of the socket that takes notifications. */
  readonly socket: string;
  /** Without a sign of life for this long the service is killed; undefined where the unit has no watchdog for this process. */
  readonly watchdogMs: number | undefined;
}

/** Reads the variables that systemd sets (sd_notify(3), sd_watchdog_enabled(3)); undefined without it. */
export function readSystemd(env: Variables): Systemd | undefined {
  const [socket, microseconds, pid] = [env['NOTIFY_SOCKET'], env['WATCHDOG_USEC'], env['WATCHDOG_PID']];
  if (!socket) return undefined;
  const isForUs = !pid || Number(pid) === process.pid;
  if (!microseconds || !isForUs) return { socket, watchdogMs: undefined };
  if (!/^\d{1,15}$/.test(microseconds) || Number(microseconds) === 0) {
    throw new SettingsError('WATCHDOG_USEC', quote(microseconds), 'microseconds, as systemd sets them');
  }
  return { socket, watchdogMs: Number(microseconds) / 1000 };
}
