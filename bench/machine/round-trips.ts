import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

/**
 * Commands are held back this long, so that commands sent without waiting for an answer go on together. During a count,
 * calls must come one at a time.
 */
const GATHER_MS = 3;

/** The heartbeat that the service sends by itself, and its answer. */
const PING = '*1\r\n$4\r\nping\r\n';
const PONG = '+PONG\r\n';

export interface Traffic {
  /** Number of times that a caller waited for Redis. */
  roundTrips: number;
  bytesSent: number;
  bytesReceived: number;
}

/**
 * A relay between a contestant and its Redis that counts round trips: commands that were sent together count as one,
 * until their replies have arrived. Redis' own statistics count commands, and cannot tell one wait from two. Its own socket stands
 * beside that of Redis.
 */
export function startRelay(redisSocket: string) {
  const traffic: Traffic = { roundTrips: 0, bytesSent: 0, bytesReceived: 0 };
  const server = createServer((client) => relay(client, connect(redisSocket), traffic));
  const socket = join(redisSocket, '..', 'count.sock');
  return new Promise<{ readonly socket: string; readonly traffic: Readonly<Traffic>; readonly stop: () => void }>(
    (resolve, reject) => {
      server.once('error', reject);
      server.listen(socket, () => resolve({ socket, traffic, stop: () => server.close() }));
    },
  );
}

function relay(client: Socket, redis: Socket, traffic: Traffic): void {
  let batch: Buffer[] = [];
  const pass = (): void => {
    const bytes = Buffer.concat(batch);
    batch = [];
    redis.write(bytes);
    if (bytes.toString('latin1').toLowerCase() === PING) return;
    traffic.roundTrips += 1;
    traffic.bytesSent += bytes.length;
  };
  client.on('data', (chunk) => {
    if (batch.length === 0) setTimeout(pass, GATHER_MS);
    batch.push(chunk);
  });
  redis.on('data', (chunk) => {
    if (chunk.toString('latin1') !== PONG) traffic.bytesReceived += chunk.length;
    client.write(chunk);
  });
  for (const [one, other] of [[client, redis] as const, [redis, client] as const]) {
    one.on('error', () => one.destroy());
    one.on('close', () => other.destroy());
  }
}
