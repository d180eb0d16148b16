import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { RedisNode } from './address.ts';
import { type RedisTrouble, troubleOfDialling } from './cause.ts';
import { CommandBytes } from './command-bytes.ts';
import { type Reply, type ReplyError, ReplyReader } from './reply-reader.ts';

/** The place where one server listens. */
export type ServerPlace = RedisNode | { readonly path: string };

/** Ends a conversation with the trouble that was found. */
export class TroubleFound extends Error {
  readonly trouble: RedisTrouble;
  constructor(trouble: RedisTrouble) {
    super(trouble.detail);
    this.trouble = trouble;
  }
}

/** The trouble of one cause, as what ends a conversation. */
export function found(cause: RedisTrouble['cause'], detail: string): TroubleFound {
  return new TroubleFound({ cause, detail });
}

/** The time limit of each step: connecting, the handshake, one answer. The client's own attempt has the same limit. */
const STEP_MS = 1000;
/** In the place of an error's code, where the other side has closed the connection. */
const CLOSED = 'closed';

/**
 * A conversation with one server over a connection of its own, step by step, to find the step that fails. The client
 * that calls use reports every failure as a closed connection.
 */
export class Dialogue {
  readonly where: string;
  readonly #socket: Socket;
  readonly #replies = new ReplyReader();
  #fault: string | undefined;

  private constructor(where: string, socket: Socket) {
    [this.where, this.#socket] = [where, socket];
    socket.on('data', (chunk: Buffer) => this.#replies.take(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#fault = error.code ?? 'closed';
    });
    socket.on('close', () => {
      this.#fault ??= 'closed';
    });
  }

  /** Connects, with TLS if `isTls`. Throws `TroubleFound`. */
  static async open(place: ServerPlace, isTls: boolean): Promise<Dialogue> {
    const where = describePlace(place);
    const socket = await dial(place, where);
    if (!isTls || 'path' in place) return new Dialogue(where, socket);
    return new Dialogue(where, await shakeHands(socket, place, where));
  }

  /** Sends one command and waits for its reply. Throws `TroubleFound` unless a valid Redis reply comes in time. */
  async ask(...words: string[]): Promise<Reply | ReplyError> {
    const command = new CommandBytes();
    command.add(words);
    command.send((bytes) => this.#socket.write(bytes));
    const endMs = performance.now() + STEP_MS;
    for (;;) {
      const reply = this.#hear();
      if (reply !== undefined) return reply;
      if (this.#fault === 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED') throw wantsCertificate(this.where);
      if (this.#fault !== undefined) {
        throw found('closed', `${this.where} closes the connection without an answer`);
      }
      const leftMs = endMs - performance.now();
      if (leftMs <= 0) throw found('no_answer', `${this.where} takes the connection and does not answer`);
      await this.#untilHeard(leftMs);
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  /** The next reply; undefined until all of it has arrived. */
  #hear(): Reply | ReplyError | undefined {
    try {
      return this.#replies.next();
    } catch {
      throw found('not_redis', `${this.where} is no Redis`);
    }
  }

  #untilHeard(patienceMs: number): Promise<void> {
    return new Promise((resolve) => {
      const settle = (): void => {
        clearTimeout(timer);
        for (const event of ['data', 'error', 'close']) this.#socket.off(event, settle);
        resolve();
      };
      const timer = setTimeout(settle, patienceMs);
      for (const event of ['data', 'error', 'close']) this.#socket.once(event, settle);
    });
  }
}

/** `10.0.0.7:6379`, or the socket's path: the part of an address that may be shown. */
export function describePlace(place: ServerPlace): string {
  if ('path' in place) return place.path;
  return place.host.includes(':') ? `[${place.host}]:${place.port}` : `${place.host}:${place.port}`;
}

function dial(place: ServerPlace, where: string): Promise<Socket> {
  const socket = connect({ ...place });
  let isLookedUp = 'path' in place || isIP(place.host) !== 0;
  socket.once('lookup', () => {
    isLookedUp = true;
  });
  return untilEvent(socket, 'connect', (code = isLookedUp ? 'ETIMEDOUT' : 'EAI_AGAIN') => {
    return new TroubleFound(troubleOfDialling(where, code));
  });
}

/** Adds TLS. The certificate is verified as in the client, against the system's authorities and NODE_EXTRA_CA_CERTS. */
function shakeHands(socket: Socket, { host }: RedisNode, where: string): Promise<Socket> {
  const secured = connectTls({ socket, host, ...(isIP(host) === 0 && { servername: host }) });
  return untilEvent(secured, 'secureConnect', (code) => faultOfHandshake(where, code));
}

/**
 * Resolves with the socket at the event. Throws what `faultOf` makes of an error's code, of `CLOSED`, or, after the time
 * limit, of none. A later error is noticed by the next command.
 */
function untilEvent(
  socket: Socket,
  event: string,
  faultOf: (code: string | undefined) => TroubleFound,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = (code: string | undefined): void => {
      clearTimeout(timer);
      socket.destroy();
      reject(faultOf(code));
    };
    const timer = setTimeout(() => fail(undefined), STEP_MS);
    socket.on('error', ({ code = '' }: NodeJS.ErrnoException) => fail(code));
    socket.once('close', () => fail(CLOSED));
    socket.once(event, () => {
      clearTimeout(timer);
      socket.removeAllListeners('close');
      resolve(socket);
    });
  });
}

/**
 * Classifies a failed handshake. Node's own codes for a refused certificate have no prefix; OpenSSL's codes have one.
 */
function faultOfHandshake(where: string, code: string | undefined): TroubleFound {
  if (code === undefined) return found('tls_failed', `${where} does not answer in TLS`);
  if (code === CLOSED) return found('tls_failed', `${where} ends the TLS handshake`);
  if (/CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE/.test(code)) return wantsCertificate(where);
  if (/CERT|SIGNATURE|ISSUER/.test(code) && !code.startsWith('ERR_SSL')) {
    return found('tls_certificate', `${where} shows a certificate that is not accepted (${code})`);
  }
  return found('tls_failed', `${where} and the service find no common TLS (${code})`);
}

function wantsCertificate(where: string): TroubleFound {
  return found('tls_client_certificate', `${where} wants a certificate of the client, which has none`);
}
