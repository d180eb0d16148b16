import { rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * Commands are held back this long, so that commands sent without waiting for an answer go on together. During a count,
 * calls must come one at a time.
 */
const GATHER_MS = 3;

/** The heartbeat that the service sends by itself. */
const PING = '*1\r\n$4\r\nping\r\n';

export interface Traffic {
  /** Number of times that a caller waited for Redis. */
  readonly roundTrips: number;
  readonly bytesSent: number;
  readonly bytesReceived: number;
}

/**
 * A relay between a contestant and its Redis that counts round trips: commands that were sent together count as one,
 * until their replies have arrived. Redis' own statistics count commands, and cannot tell one wait from two.
 */
export class RoundTripCounter {
  readonly socket: string;
  readonly #server: Server;
  #roundTrips = 0;
  #bytesSent = 0;
  #bytesReceived = 0;

  private constructor(socket: string, server: Server) {
    this.socket = socket;
    this.#server = server;
  }

  /** Listens on `socket` and forwards all bytes to `target`; both are unix sockets. */
  static start(socket: string, target: string): Promise<RoundTripCounter> {
    rmSync(socket, { force: true });
    const server = createServer();
    const counter = new RoundTripCounter(socket, server);
    server.on('connection', (client) => counter.#relay(client, connect(target)));
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(socket, () => resolve(counter));
    });
  }

  /** The traffic since the start. */
  get traffic(): Traffic {
    return { roundTrips: this.#roundTrips, bytesSent: this.#bytesSent, bytesReceived: this.#bytesReceived };
  }

  stop(): void {
    this.#server.close();
  }

  #relay(client: Socket, redis: Socket): void {
    let batch: Buffer[] = [];
    const pass = (): void => {
      const bytes = Buffer.concat(batch);
      batch = [];
      redis.write(bytes);
      if (bytes.toString('latin1').toLowerCase() === PING) return;
      this.#roundTrips += 1;
      this.#bytesSent += bytes.length;
    };
    client.on('data', (chunk) => {
      if (batch.length === 0) setTimeout(pass, GATHER_MS);
      batch.push(chunk);
    });
    redis.on('data', (chunk) => {
      if (chunk.toString('latin1') !== '+PONG\r\n') this.#bytesReceived += chunk.length;
      client.write(chunk);
    });
    for (const [one, other] of [[client, redis] as const, [redis, client] as const]) {
      one.on('error', () => one.destroy());
      one.on('close', () => other.destroy());
    }
  }
}
