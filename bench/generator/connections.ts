import { connect, type Socket } from 'node:net';
import type { TapeRequest } from './tape.ts';

/** The body is empty unless it was asked for. */
export interface RawAnswer {
  readonly status: number;
  readonly body: Buffer;
}

interface Call {
  readonly request: TapeRequest;
  readonly keepsBody: boolean;
  /** With undefined when the connection ended before the answer. */
  readonly resolve: (answer: RawAnswer | undefined) => void;
}

const HEAD_END = '\r\n\r\n';
const READ_BYTES = 64 * 1024;

/** The read buffer of all connections; each chunk is processed before the next one is read. */
const readBuffer = Buffer.allocUnsafe(READ_BYTES);

/**
 * The connections of an open loop, kept alive, each with one request at a time. They are sockets, because over a thousand connections
 * a request takes undici 110 µs of CPU, node:http 95 and this 14, and the generator shares the machine with what it measures.
 */
export class Connections {
  readonly #port: number;
  readonly #most: number;
  readonly #all = new Set<Connection>();
  /** The one that has been idle longest is used next, which spreads the load over all of them. */
  readonly #idle: Connection[] = [];
  readonly #waiting: Call[] = [];

  private constructor(url: string, most: number) {
    this.#port = Number(new URL(url).port);
    this.#most = most;
  }

  /** Opens `least` connections; when all are busy more are opened, up to `most`. */
  static async open(url: string, { least, most }: { readonly least: number; readonly most: number }) {
    const connections = new Connections(url, most);
    await Promise.all(Array.from({ length: least }, () => connections.#add()));
    return connections;
  }

  /** Sends a request as soon as a connection is free. */
  send(request: TapeRequest, keepsBody: boolean): Promise<RawAnswer | undefined> {
    return new Promise((resolve) => {
      this.#waiting.push({ request, keepsBody, resolve });
      this.#next();
      if (this.#waiting.length > 0 && this.#all.size < this.#most) void this.#add();
    });
  }

  close(): void {
    for (const connection of this.#all) connection.close();
  }

  #next(): void {
    while (this.#waiting.length > 0 && this.#idle.length > 0) {
      const [connection, call] = [this.#idle.shift(), this.#waiting.shift()];
      connection?.send(call as Call);
    }
  }

  #add(): Promise<void> {
    return new Promise((resolve) => {
      const connection: Connection = new Connection(this.#port, {
        onFree: () => {
          this.#idle.push(connection);
          this.#next();
          resolve();
        },
        onEnd: () => {
          this.#all.delete(connection);
          const at = this.#idle.indexOf(connection);
          if (at >= 0) this.#idle.splice(at, 1);
          resolve();
        },
      });
      this.#all.add(connection);
    });
  }
}

interface Listener {
  /** The connection was opened, or has its answer. */
  readonly onFree: () => void;
  readonly onEnd: () => void;
}

class Connection {
  readonly #socket: Socket;
  readonly #listener: Listener;
  #call: Call | undefined;
  /** The part of a head that has come. */
  #begun: Buffer | undefined;
  #status = 0;
  /** The contestant closes the connection behind this answer. */
  #isLast = false;
  /** Bytes of the body that are still to come; negative before it. */
  #missing = -1;
  #body: Buffer[] = [];

  constructor(port: number, listener: Listener) {
    this.#listener = listener;
    const callback = (count: number, buffer: Uint8Array): boolean => {
      this.#read((buffer as Buffer).subarray(0, count));
      return true;
    };
    this.#socket = connect({ host: '127.0.0.1', port, noDelay: true, onread: { buffer: readBuffer, callback } });
    this.#socket.once('connect', listener.onFree);
    this.#socket.on('error', () => this.#socket.destroy());
    this.#socket.once('close', () => {
      listener.onEnd();
      this.#call?.resolve(undefined);
    });
  }

  /** The connection must be free. */
  send(call: Call): void {
    const { path, headers, body } = call.request;
    this.#call = call;
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join('')}Content-Length: ${body.length}\r\n\r\n`;
    this.#socket.cork();
    this.#socket.write(head, 'latin1');
    this.#socket.write(body);
    this.#socket.uncork();
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    if (this.#missing >= 0) return this.#readBody(chunk);
    const bytes = this.#begun ? Buffer.concat([this.#begun, chunk]) : chunk;
    const end = bytes.indexOf(HEAD_END);
    this.#begun = end < 0 ? Buffer.from(bytes) : undefined;
    if (end < 0) return;
    const head = bytes.toString('latin1', 0, end + 2);
    this.#status = Number(head.slice(9, 12));
    this.#isLast = /\r\nconnection: *close\r\n/i.test(head);
    // All contestants send a Content-Length; an answer without one counts as a broken connection.
    const length = /\r\ncontent-length: *(\d+)\r\n/i.exec(head)?.[1];
    if (length === undefined) return this.close();
    this.#missing = Number(length);
    this.#readBody(bytes.subarray(end + HEAD_END.length));
  }

  #readBody(chunk: Buffer): void {
    this.#missing -= chunk.length;
    if (this.#call?.keepsBody) this.#body.push(Buffer.from(chunk));
    if (this.#missing > 0) return;
    const [call, body] = [this.#call, Buffer.concat(this.#body)];
    this.#call = undefined;
    this.#body = [];
    this.#missing = -1;
    call?.resolve({ status: this.#status, body });
    if (this.#isLast) this.close();
    else this.#listener.onFree();
  }
}
