import type { HttpResponse } from 'uWebSockets.js';

type OnData = (chunk: ArrayBuffer, isLast: boolean) => void;

/** The library's response, as far as calls use it, seen from the other end of the connection. */
export class OtherEnd {
  status = '';
  readonly headers: [name: string, value: string][] = [];
  /** What has arrived; undefined while nothing was written. */
  body: string | undefined;
  /** Undefined until the answer is ended; true when the library closes the connection behind it. */
  isClosedBehind: boolean | undefined;
  isClosed = false;
  /** Bytes that fit into the connection before its reader takes some. */
  room = Number.POSITIVE_INFINITY;
  #onData: OnData = () => undefined;
  #onAborted = (): void => undefined;
  #onWritable: ((offset: number) => boolean) | undefined;
  #sent = 0;

  readonly response = {
    onData: (onData: OnData) => {
      this.#onData = onData;
      return this.response;
    },
    onAborted: (onAborted: () => void) => {
      this.#onAborted = onAborted;
      return this.response;
    },
    onWritable: (onWritable: (offset: number) => boolean) => {
      this.#onWritable = onWritable;
      return this.response;
    },
    cork: (write: () => void) => {
      write();
      return this.response;
    },
    writeStatus: (status: string) => {
      this.status = status;
      return this.response;
    },
    writeHeader: (name: string, value: string | Uint8Array) => {
      this.headers.push([name.toLowerCase(), textOf(value)]);
      return this.response;
    },
    end: (body: string | Uint8Array, closes?: boolean) => {
      [this.body, this.isClosedBehind] = [textOf(body), closes ?? false];
      return this.response;
    },
    endWithoutBody: () => {
      [this.body, this.isClosedBehind] = ['', false];
      return this.response;
    },
    tryEnd: (rest: Uint8Array, total: number): [boolean, boolean] => {
      const some = rest.subarray(0, this.room);
      this.body = (this.body ?? '') + textOf(some);
      this.room -= some.length;
      this.#sent += some.length;
      const isDone = this.#sent === total;
      if (isDone) this.isClosedBehind = false;
      return [some.length === rest.length, isDone];
    },
    getWriteOffset: () => this.#sent,
    close: () => {
      this.isClosed = true;
      this.abort();
      return this.response;
    },
    getRemoteAddressAsText: () => new TextEncoder().encode('192.0.2.7').buffer,
  } as unknown as HttpResponse;

  /** Sends bytes of the request's body. The library takes their memory back. */
  send(bytes: string | Uint8Array, isLast = false): void {
    const chunk = new Uint8Array(Buffer.from(bytes as string));
    this.#onData(chunk.buffer, isLast);
    chunk.fill(0x3f);
  }

  /** The reader takes what was sent, so that there is room for so many bytes. Returns what the call says of having sent all. */
  read(room: number): boolean | undefined {
    this.room = room;
    return this.#onWritable?.(this.#sent);
  }

  abort(): void {
    this.#onAborted();
  }

  header(name: string): string | undefined {
    return this.headers.find(([own]) => own === name)?.[1];
  }
}

function textOf(value: string | Uint8Array): string {
  return typeof value === 'string' ? value : Buffer.from(value).toString();
}

/** How many timers keep this process alive. */
export function countTimers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
}
