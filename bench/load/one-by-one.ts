import { Connection, type RawAnswer } from '../generator/connection.ts';
import type { Tape } from './tape.ts';

/** Plays a tape over one connection, one request after the other, for counting instead of timing. */
export class OneByOne {
  readonly #tape: Tape;
  readonly #connection: Connection;

  private constructor(tape: Tape, connection: Connection) {
    this.#tape = tape;
    this.#connection = connection;
  }

  static open(url: string, tape: Tape): Promise<OneByOne> {
    return new Promise((resolve, reject) => {
      const connection: Connection = new Connection(
        Number(new URL(url).port),
        tape.longest,
        () => resolve(new OneByOne(tape, connection)),
        () => reject(new Error(`The connection to ${url} has ended.`)),
      );
    });
  }

  /** Sends request `index` of the tape and resolves with its answer and body. */
  play(index: number): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      this.#connection.send(
        (target) => this.#tape.writeRequest(index, target),
        true,
        (answer) => (answer ? resolve(answer) : reject(new Error('The connection ended before its answer.'))),
      );
    });
  }

  close(): void {
    this.#connection.close();
  }
}
