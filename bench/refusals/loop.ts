import { connect, type Socket } from 'node:net';

/** Writes the next request into a buffer that the loop keeps, and returns its length. */
export type NextRequest = (target: Buffer) => number;

/** Whom the connections of a loop call, and how many they are. */
export interface Crowd {
  readonly url: string;
  readonly connections: number;
}

const HEAD_END = '\r\n\r\n';

/**
 * A closed loop over raw sockets: each connection sends a request, waits for the whole answer and sends the next. Raw
 * sockets, because the load generators of the other scenarios send baskets alone and stop at other answers than 200.
 * Returns the number of answers by status. A connection that the service closes is opened again.
 */
export async function runLoop(
  { url, connections }: Crowd,
  durationMs: number,
  next: NextRequest,
): Promise<ReadonlyMap<string, number>> {
  const statuses = new Map<string, number>();
  const endMs = performance.now() + durationMs;
  const { hostname, port } = new URL(url);
  const run = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const buffer = Buffer.alloc(512 * 1024);
      let received = '';
      const socket: Socket = connect(Number(port), hostname, () => send());
      const send = (): void => {
        if (performance.now() >= endMs) return void socket.end(resolve);
        received = '';
        socket.write(buffer.subarray(0, next(buffer)));
      };
      socket.setNoDelay(true);
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
        const headEnd = received.indexOf(HEAD_END);
        if (headEnd < 0) return;
        const length = Number(/content-length: *(\d+)/i.exec(received.slice(0, headEnd))?.[1] ?? 0);
        if (received.length < headEnd + HEAD_END.length + length) return;
        const status = received.slice(9, 12);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (/connection: *close/i.test(received.slice(0, headEnd))) {
          socket.destroy();
          resolve(performance.now() < endMs ? run() : undefined);
        } else send();
      });
    });
  await Promise.all(Array.from({ length: connections }, run));
  return statuses;
}
