import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { RedisAccess } from './address.ts';
import { CommandBytes, type Word } from './command-bytes.ts';
import { passwordOf } from './credentials.ts';
import { BREAKER_BEATS, SILENCE_BEATS } from './heartbeat.ts';
import { type Reply, ReplyError, ReplyReader } from './reply-reader.ts';

/** The place of one server, as `net.connect` takes it. `servername` is the name in its certificate. */
export type LinkPlace =
  | { readonly path: string }
  | { readonly host: string; readonly port: number; readonly servername?: string };

/** Replies that are given before anything of a command is carried out, and after which ioredis knows how to go on. */
const NOT_CARRIED_OUT = /^(?:MOVED|ASK|TRYAGAIN|CLUSTERDOWN|NOSCRIPT|LOADING|READONLY) /;

const KEEP_ALIVE_MS = 10_000;
/** Answered commands are cut off the queue so many at a time, because cutting moves all that wait. */
const CUT = 256;
/**
 * After so many replies the event loop looks at its other sockets before it goes on: what follows a reply takes a tenth of a
 * millisecond, and a call that is refused at once would wait for all of them.
 */
const REPLIES_AT_ONCE = 16;

/** A command whose reply has not arrived; `otherwise` gives it to ioredis. */
interface Waiting {
  readonly settle: (reply: Reply | Promise<Reply>) => void;
  readonly fail: (error: Error) => void;
  readonly otherwise: () => Promise<Reply>;
}

/**
 * One raw connection to one server. The commands of a turn of the event loop are gathered as bytes and leave in one
 * write; the replies come in the order of the commands and are read by hand.
 * A command is never sent twice from here: one that the server refused before carrying it out goes to ioredis, and one
 * whose reply was lost with the connection fails, because nobody knows what became of it.
 */
export class LeanLink {
  readonly #socket: Socket;
  readonly #reader = new ReplyReader();
  /** Commands in the order in which they were sent; those before `#answered` have been answered and let go. */
  #queue: (Waiting | undefined)[] = [];
  #answered = 0;
  readonly #commands = new CommandBytes();
  #state: 'opening' | 'ready' | 'refused' | 'lost' = 'opening';
  /** Beats since the last byte of a server that owes replies. */
  #silentBeats = 0;
  /** Replies that have arrived wait for the next turn. */
  #isPausing = false;

  constructor(place: LinkPlace, access: RedisAccess | undefined, name: string) {
    this.#socket = access?.isTls ? connectTls({ ...place }) : connect({ ...place });
    this.#socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS);
    this.#socket.on('data', (chunk: Buffer) => this.#hear(chunk));
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => this.#end());
    this.#introduce(access, name);
  }

  /** `refused`: it ended without ever having been ready. `lost`: it ended later. */
  get state(): 'opening' | 'ready' | 'refused' | 'lost' {
    return this.#state;
  }

  /** True while commands may be given to it. */
  get isUsable(): boolean {
    return this.#state === 'ready' && this.#silentBeats < BREAKER_BEATS;
  }

  /** Adds a command to this turn's. Rejects with an error reply, or when the connection ends before the reply. */
  ask(words: readonly Word[], otherwise: () => Promise<Reply>): Promise<Reply> {
    this.#commands.add(words);
    return new Promise((settle, fail) => {
      this.#queue.push({ settle, fail, otherwise });
    });
  }

  /** Sends the commands of this turn. */
  flush(): void {
    if (this.#commands.isEmpty) return;
    this.#commands.send((bytes) => {
      this.#socket.write(bytes);
      // Nothing waits in the socket: the system, or the encryption, has a copy of everything.
      return this.#socket.writableLength === 0;
    });
  }

  /** Asks for a sign of life. If a reply is due already, counts the silence instead, and ends at the longest. */
  beat(): void {
    if (this.#queue.length === this.#answered) return this.#greet(['ping']);
    this.#silentBeats += 1;
    if (this.#silentBeats >= SILENCE_BEATS) this.close();
  }

  close(): void {
    this.#socket.destroy();
    this.#end();
  }

  /** Sends what a new connection needs. Any refusal but that of the name ends it, and ioredis serves instead. */
  #introduce(access: RedisAccess | undefined, name: string): void {
    const { username, database } = access ?? { username: undefined, database: 0 };
    const password = access && passwordOf(access);
    const close = (): void => this.close();
    if (password !== undefined) this.#greet(['auth', ...(username === undefined ? [] : [username]), password], close);
    if (database !== 0) this.#greet(['select', database], close);
    this.#greet(['client', 'setname', name]);
    this.#greet(['ping'], close, () => {
      if (this.#state === 'opening') this.#state = 'ready';
    });
  }

  /** Sends a command of the link's own. */
  #greet(words: readonly Word[], refused: () => void = () => undefined, settle: () => void = () => undefined): void {
    this.ask(words, () => Promise.reject(new Error('refused'))).then(settle, refused);
    this.flush();
  }

  #hear(chunk: Buffer): void {
    this.#silentBeats = 0;
    this.#reader.take(chunk);
    if (!this.#isPausing) this.#deliverSome(REPLIES_AT_ONCE);
  }

  #deliverSome(most: number): void {
    try {
      for (let count = 0; count < most; count += 1) {
        const reply = this.#reader.next();
        if (reply === undefined) return;
        this.#deliver(reply);
      }
    } catch {
      // The server speaks another protocol, or answers what nobody asked.
      return this.close();
    }
    this.#isPausing = true;
    // The first one ends this turn, the second one comes after the sockets of the next.
    setImmediate(() => setImmediate(() => this.#goOn()));
  }

  #goOn(): void {
    if (!this.#isPausing) return;
    this.#isPausing = false;
    this.#deliverSome(REPLIES_AT_ONCE);
  }

  #deliver(reply: Reply | ReplyError): void {
    const waiting = this.#queue[this.#answered];
    if (!waiting) throw new Error('a reply to no command');
    this.#queue[this.#answered] = undefined;
    this.#answered += 1;
    if (this.#answered === this.#queue.length || this.#answered === CUT) {
      this.#queue.splice(0, this.#answered);
      this.#answered = 0;
    }
    if (!(reply instanceof ReplyError)) waiting.settle(reply);
    else if (NOT_CARRIED_OUT.test(reply.message)) waiting.settle(waiting.otherwise());
    else waiting.fail(reply);
  }

  #end(): void {
    // What has arrived is known.
    if (this.#isPausing) {
      this.#isPausing = false;
      this.#deliverSome(Number.POSITIVE_INFINITY);
    }
    if (this.#state === 'opening' || this.#state === 'ready')
      this.#state = this.#state === 'ready' ? 'lost' : 'refused';
    this.#commands.clear();
    const error = new Error('the connection was closed before the reply');
    for (const waiting of this.#queue.splice(0)) waiting?.fail(error);
    this.#answered = 0;
  }
}
