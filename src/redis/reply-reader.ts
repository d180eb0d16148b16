/** A reply of Redis: integers as numbers, strings as bytes, nil as null, nested lists. */
export type Reply = null | number | Buffer | Reply[];

/** An error reply, under the name that ioredis gives it: `toStoreError` judges both alike. */
export class ReplyError extends Error {
  override readonly name = 'ReplyError';
}

const [CR, LF, MINUS, ZERO, NINE] = [0x0d, 0x0a, 0x2d, 0x30, 0x39];
const [STATUS, ERROR, INTEGER, STRING, LIST] = [0x2b, 0x2d, 0x3a, 0x24, 0x2a];

/** Thrown and caught in this file alone: the rest of a reply has not arrived. One object, because it is no fault. */
const INCOMPLETE = new Error('incomplete');

/** Cuts the bytes of a connection into replies, wherever the network has cut them. */
export class ReplyReader {
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;

  /** Adds bytes. Replies share their memory. */
  take(chunk: Buffer): void {
    this.#bytes = this.#at === this.#bytes.length ? chunk : Buffer.concat([this.#bytes.subarray(this.#at), chunk]);
    this.#at = 0;
  }

  /** The next reply; undefined until all of it has arrived. Throws at bytes that are no reply of the protocol's version 2. */
  next(): Reply | ReplyError | undefined {
    const start = this.#at;
    if (start === this.#bytes.length) return undefined;
    try {
      return this.#read();
    } catch (error) {
      if (error !== INCOMPLETE) throw error;
      this.#at = start;
      return undefined;
    }
  }

  #read(): Reply | ReplyError {
    const kind = this.#bytes[this.#at];
    if (kind === STATUS) return this.#readLine();
    if (kind === ERROR) return new ReplyError(this.#readLine().toString());
    const number = this.#readNumber();
    if (kind === INTEGER) return number;
    if (kind !== STRING && kind !== LIST) throw new Error('not a reply of Redis');
    if (number < 0) return null;
    return kind === STRING ? this.#readString(number) : this.#readList(number);
  }

  /** Reads the number between a type's byte and the end of its line. */
  #readNumber(): number {
    const isNegative = this.#bytes[this.#at + 1] === MINUS;
    let at = this.#at + (isNegative ? 2 : 1);
    let number = 0;
    for (let byte = this.#bytes[at]; byte !== undefined && byte >= ZERO && byte <= NINE; byte = this.#bytes[at]) {
      number = number * 10 + (byte - ZERO);
      at += 1;
    }
    this.#endLine(at);
    return isNegative ? -number : number;
  }

  #readString(length: number): Buffer {
    const start = this.#at;
    this.#endLine(start + length);
    return this.#bytes.subarray(start, start + length);
  }

  #readLine(): Buffer {
    const start = this.#at + 1;
    const end = this.#bytes.indexOf(CR, start);
    if (end < 0) throw INCOMPLETE;
    this.#endLine(end);
    return this.#bytes.subarray(start, end);
  }

  #readList(length: number): Reply[] {
    const items: Reply[] = [];
    while (items.length < length) {
      const item = this.#read();
      if (item instanceof ReplyError) throw item;
      items.push(item);
    }
    return items;
  }

  /** Steps over the line end that must stand at `at`. */
  #endLine(at: number): void {
    this.#at = at + 2;
    if (this.#at > this.#bytes.length) throw INCOMPLETE;
    if (this.#bytes[at] !== CR || this.#bytes[at + 1] !== LF) throw new Error('not a reply of Redis');
  }
}
