import { once } from 'node:events';
import type { Server as HttpServer, IncomingMessage } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, TLSSocket, type Server as TlsServer } from 'node:tls';
import { untrustedCertificate } from './certificate.ts';

/** The first byte of a TLS connection: a handshake record (RFC 8446, 5.1). No HTTP request begins with it. */
const TLS_HANDSHAKE = 0x16;

/**
 * The double's port: HTTP, and TLS on the same port, told apart by the first byte. It can refuse connections for a time,
 * reset the next one, and cut handshakes.
 */
export class Listener {
  readonly #http: HttpServer;
  readonly #host: string;
  readonly #onTls: (connection: number) => 'cut' | 'handshake';
  readonly #server: Server;
  readonly #tls: TlsServer;
  readonly #open = new Set<Socket>();
  /** Numbers of connections by the caller's address, because a TLS socket is another object than the one it runs on. */
  readonly #numbers = new Map<string, number>();
  #last = 0;
  #port = 0;
  #resetUntilMs = 0;
  #isClosed = false;

  /** `onTls` is asked for every connection with TLS, before its handshake. */
  constructor(http: HttpServer, host: string, onTls: (connection: number) => 'cut' | 'handshake') {
    this.#http = http;
    this.#host = host;
    this.#onTls = onTls;
    this.#server = createServer((socket) => this.#accept(socket));
    this.#tls = createTlsServer(untrustedCertificate());
    this.#tls.on('secureConnection', (socket) => http.emit('connection', socket));
    // A caller that refuses the certificate is right.
    this.#tls.on('tlsClientError', (_error, socket) => socket.destroy());
  }

  get port(): number {
    return this.#port;
  }

  /** Begins to listen; 0 takes any free port. Rejects when the port is taken. */
  async listen(port: number): Promise<void> {
    this.#server.listen(port, this.#host);
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** The number of a request's connection; connections are numbered as they come. */
  numberOf({ socket }: IncomingMessage): number {
    return this.#numbers.get(addressOf(socket)) ?? 0;
  }

  /** Closes every connection but the spared one, and refuses new ones, for a time that begins when all are closed. */
  async refuse(forMs: number, spared?: Socket): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#closeConnections(spared);
    await closed;
    setTimeout(() => {
      if (!this.#isClosed) void this.listen(this.#port);
    }, forMs);
  }

  /** Closes every connection but the spared one, and resets the next one if it comes in time. */
  resetNext(forMs: number, spared?: Socket): void {
    this.#resetUntilMs = performance.now() + forMs;
    this.#closeConnections(spared);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#closeConnections();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  #closeConnections(spared?: Socket): void {
    const address = spared && addressOf(spared);
    for (const socket of this.#open) {
      if (addressOf(socket) !== address) socket.destroy();
    }
  }

  #accept(socket: Socket): void {
    const address = addressOf(socket);
    const number = ++this.#last;
    this.#open.add(socket);
    this.#numbers.set(address, number);
    socket.once('close', () => {
      this.#open.delete(socket);
      if (this.#numbers.get(address) === number) this.#numbers.delete(address);
    });
    // Whoever handles the connection later has a listener of its own; until then a reset is not an error of ours.
    socket.on('error', () => socket.destroy());
    if (performance.now() < this.#resetUntilMs) {
      this.#resetUntilMs = 0;
      socket.resetAndDestroy();
      return;
    }
    socket.once('data', (first: Buffer) => {
      socket.pause();
      socket.unshift(first);
      if (first[0] === TLS_HANDSHAKE && this.#onTls(number) === 'cut') socket.destroy();
      else if (first[0] === TLS_HANDSHAKE) this.#tls.emit('connection', socket);
      else this.#http.emit('connection', socket.resume());
    });
  }
}

/** True for a request that came with TLS. */
export function isSecure({ socket }: IncomingMessage): boolean {
  return socket instanceof TLSSocket;
}

function addressOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
