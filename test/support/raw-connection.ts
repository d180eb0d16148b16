/** A socket that sends exactly a test's bytes, and parses the answers. */
import { connect as plainConnect, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { Answer } from './answer.ts';
import { BASKET_PATH, bytesOf } from './caller.ts';
import { signatureOf } from './signer.ts';
import { until, within } from './wait.ts';
import type { BasketBody } from './wire.ts';

export class RawConnection {
  readonly #socket: Socket;
  readonly #ended: Promise<void>;
  #received: Buffer = Buffer.alloc(0);
  #hasEnded = false;
  #wake: () => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#ended = new Promise((resolve) => {
      const end = () => {
        this.#hasEnded = true;
        this.#wake();
        resolve();
      };
      // The other side's half-close ends the conversation as well as a reset does.
      socket.on('end', end);
      socket.on('close', end);
      socket.on('error', end);
    });
    socket.on('data', (chunk: Buffer) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
  }

  /** Connects to the host and port of an address, with TLS when it is an https one. */
  static open(baseUrl: string, ca?: string): Promise<RawConnection> {
    const { protocol, hostname, port } = new URL(baseUrl);
    const target = { host: hostname, port: Number(port) };
    return new Promise((resolve, reject) => {
      const isTls = protocol === 'https:';
      const socket: Socket = isTls ? tlsConnect({ ...target, ...(ca !== undefined && { ca }) }) : plainConnect(target);
      socket.setNoDelay(true);
      socket.once('error', reject);
      socket.once(isTls ? 'secureConnect' : 'connect', () => resolve(new RawConnection(socket)));
    });
  }

  write(bytes: string | Uint8Array): void {
    if (!this.#socket.destroyed) this.#socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** Everything received and not yet taken out by `readAnswer`. */
  get unread(): Buffer {
    return this.#received;
  }

  /** The next complete answer; undefined when the connection ended or the time was up before there was one. */
  async readAnswer(timeoutMs = 5_000): Promise<Answer | undefined> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const taken = takeAnswer(this.#received);
      if (taken) {
        this.#received = taken.rest;
        return taken.answer;
      }
      const left = deadline - Date.now();
      if (this.#hasEnded || left <= 0) return undefined;
      const news = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await within(news, left);
    }
  }

  /** Every answer until the other side closes or says nothing for `quietMs`. */
  async readAnswers(quietMs = 1_000): Promise<Answer[]> {
    const answers: Answer[] = [];
    for (let answer = await this.readAnswer(quietMs); answer; answer = await this.readAnswer(quietMs))
      answers.push(answer);
    return answers;
  }

  /** True when the other side closed the connection within this time. */
  async closes(timeoutMs = 5_000): Promise<boolean> {
    return (
      this.#hasEnded ||
      (await within(
        this.#ended.then(() => true),
        timeoutMs,
      )) === true
    );
  }

  /** Ends with a reset, like a POS that gives a call up. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  /** Closes the sending half of the connection and continues to read. */
  halfClose(): void {
    this.#socket.end();
  }

  /** Takes nothing more of what the other side sends. */
  pause(): void {
    this.#socket.pause();
  }

  close(): void {
    this.#socket.destroy();
  }
}

/** A stranger who pipelines one request without end, and reads what comes back or never does. */
export class Flood {
  answers = 0;
  readonly #socket: Socket;

  private constructor(socket: Socket) {
    this.#socket = socket;
  }

  static open(baseUrl: string, request: string, isRead: boolean): Promise<Flood> {
    const { hostname, port } = new URL(baseUrl);
    return new Promise((resolve) => {
      const socket = plainConnect(Number(port), hostname, () => {
        const flood = new Flood(socket);
        if (isRead) {
          socket.on('data', (chunk) => {
            flood.answers += chunk.toString('latin1').split('HTTP/1.1 ').length - 1;
          });
        }
        const bytes = Buffer.from(request.repeat(1_000));
        for (let sent = 0; sent < 20 && !socket.destroyed; sent += 1) socket.write(bytes);
        resolve(flood);
      });
      socket.on('error', () => undefined);
    });
  }

  /** Who never reads learns of the end by the next byte that he sends. */
  async ended(): Promise<void> {
    await until('the end of the connection', () => this.#socket.destroyed || void this.#socket.write('x'));
  }
}

function takeAnswer(received: Buffer): { answer: Answer; rest: Buffer } | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [statusLine = '', ...lines] = received.subarray(0, headEnd).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(statusLine)?.[1] ?? 0);
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const length = Number(headers.find(([name]) => name.toLowerCase() === 'content-length')?.[1] ?? 0);
  const hasBody = status >= 200 && status !== 204;
  const bodyEnd = headEnd + 4 + (hasBody ? length : 0);
  if (received.length < bodyEnd) return undefined;
  const answer = new Answer(status, headers, received.subarray(headEnd + 4, bodyEnd));
  return { answer, rest: received.subarray(bodyEnd) };
}

/** The bytes of one request, with exactly these header lines. */
export function requestBytes(requestLine: string, headers: readonly string[], body: Uint8Array | string = ''): Buffer {
  const head = [requestLine, ...headers, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), typeof body === 'string' ? Buffer.from(body, 'latin1') : body]);
}

/** The header lines that a right call has, but for those that frame its body. */
export function signedHeaders(
  secret: string,
  { calculationId }: { calculationId: string },
  body: Uint8Array,
): string[] {
  return [
    'Host: x',
    'Content-Type: application/json',
    `Idempotency-Key: ${calculationId}`,
    `POS-Signature: ${signatureOf(secret, body)}`,
  ];
}

/** The bytes of a right basket call. */
export function callBytes(secret: string, basket: BasketBody): Buffer {
  const body = bytesOf(basket);
  const headers = [...signedHeaders(secret, basket, body), `Content-Length: ${body.length}`];
  return requestBytes(`POST ${BASKET_PATH} HTTP/1.1`, headers, body);
}

/** A body as one right chunk and the end; `extension` stands behind the size. */
export function chunkOf(body: Uint8Array, extension = ''): Buffer {
  return Buffer.concat([
    Buffer.from(`${body.length.toString(16)}${extension}\r\n`),
    body,
    Buffer.from('\r\n0\r\n\r\n'),
  ]);
}
