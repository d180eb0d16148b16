import type { TemplatedApp, us_listen_socket } from 'uWebSockets.js';

/** The library's LIBUS_LISTEN_DEFAULT and LIBUS_LISTEN_EXCLUSIVE_PORT; its module does not export them as typed. */
const SHARED_PORT = 0;
const EXCLUSIVE_PORT = 1;

type Listened = us_listen_socket | false;

/**
 * Opens the listener; resolves with false when the port is taken. The library takes a host beside options, but its types
 * lack that overload (20.51.4).
 */
export function listen(app: TemplatedApp, host: string, port: number, isShared: boolean): Promise<Listened> {
  const untyped = app as unknown as {
    listen(host: string, port: number, options: number, done: (socket: Listened) => void): void;
  };
  return new Promise((resolve) => untyped.listen(host, port, isShared ? SHARED_PORT : EXCLUSIVE_PORT, resolve));
}
