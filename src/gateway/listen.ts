import type { TemplatedApp, us_listen_socket } from 'uWebSockets.js';

/** The library's LIBUS_LISTEN_DEFAULT, which shares the port; its module does not export it as typed. */
const SHARED_PORT = 0;

type Listened = us_listen_socket | false;

/**
 * Opens the listener; resolves with false when another program has the port. The library takes a host beside options, but its types
 * lack that overload (20.51.4).
 */
export function listen(app: TemplatedApp, host: string, port: number): Promise<Listened> {
  const untyped = app as unknown as {
    listen(host: string, port: number, options: number, done: (socket: Listened) => void): void;
  };
  return new Promise((resolve) => untyped.listen(host, port, SHARED_PORT, resolve));
}
