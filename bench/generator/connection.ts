import { connect, type Socket } from 'node:net';

/** The examined parts of an answer. The body is present only when it was requested. */
export interface RawAnswer {
  readonly status: number;
  readonly isReplayed: boolean;
  readonly body: Buffer | undefined;
}

/** Undefined when the connection ended before the answer. */
export type OnAnswer = (answer: RawAnswer | undefined) => void;

const HEAD_END = Buffer.from('\r\n\r\n');
const READ_BYTES = 64 * 1024;

/** The read buffer of all connections; each chunk is processed before the next one is read. */
const readBuffer = Buffer.allocUnsafe(READ_BYTES);

/**
 * One keep-alive connection with one request at a time. Only the head's text is allocated per request: the request lies
 * in the connection's own buffer, and the answer's body is only counted, unless it is to be verified.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #request: Buffer;
  readonly #onEnd: (connection: Connection) => void;
  #onAnswer: OnAnswer | undefined;
  #keepsBody = false;
  #head: Buffer | undefined;
  #status = 0;
  #isReplayed = false;
  #missing = -1;
  /** The contestant closes the connection behind this answer. */
  #isLast = false;
  #body: Buffer[] = [];
  #isEnded = false;

  constructor(
    port: number,
    longest: number,
    onOpen: (connection: Connection) => void,
    onEnd: (connection: Connection) => void,
  ) {
    this.#request = Buffer.allocUnsafe(longest);
    this.#onEnd = onEnd;
    this.#socket = connect({
      host: '127.0.0.1',
      port,
      noDelay: true,
      onread: { buffer: readBuffer, callback: (count, buffer) => this.#read((buffer as Buffer).subarray(0, count)) },
    });
    this.#socket.once('connect', () => onOpen(this));
    this.#socket.on('error', () => this.#end());
    this.#socket.on('close', () => this.#end());
  }

  /** Sends the bytes that `write` puts into the given buffer. The connection must be idle. */
  send(write: (target: Buffer) => number, keepsBody: boolean, onAnswer: OnAnswer): void {
    this.#onAnswer = onAnswer;
    this.#keepsBody = keepsBody;
    this.#missing = -1;
    this.#socket.write(this.#request.subarray(0, write(this.#request)));
  }

  close(): void {
    this.#isEnded = true;
    this.#socket.destroy();
  }

  #read(chunk: Buffer): boolean {
    if (this.#missing >= 0) this.#readBody(chunk);
    else this.#readHead(chunk);
    return true;
  }

  #readHead(chunk: Buffer): void {
    const bytes = this.#head ? Buffer.concat([this.#head, chunk]) : chunk;
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) {
      this.#head = Buffer.from(bytes);
      return;
    }
    this.#head = undefined;
    const head = bytes.toString('latin1', 0, end + 2);
    this.#status = Number(head.slice(9, 12));
    this.#isReplayed = /\r\nidempotent-replayed: true\r\n/i.test(head);
    this.#isLast = /\r\nconnection: *close\r\n/i.test(head);
    const length = /\r\ncontent-length: *(\d+)\r\n/i.exec(head);
    // All contestants send a Content-Length; an answer without one counts as a broken connection.
    if (!length) return this.#socket.destroy() && undefined;
    this.#missing = Number(length[1]);
    this.#readBody(bytes.subarray(end + HEAD_END.length));
  }

  #readBody(chunk: Buffer): void {
    this.#missing -= chunk.length;
    if (this.#keepsBody) this.#body.push(Buffer.from(chunk));
    if (this.#missing > 0) return;
    const body = this.#keepsBody ? Buffer.concat(this.#body) : undefined;
    this.#body = [];
    this.#missing = -1;
    const onAnswer = this.#onAnswer;
    this.#onAnswer = undefined;
    if (this.#isLast) {
      this.#end();
      this.#socket.destroy();
    }
    onAnswer?.({ status: this.#status, isReplayed: this.#isReplayed, body });
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#onEnd(this);
    this.#onAnswer?.(undefined);
  }
}
