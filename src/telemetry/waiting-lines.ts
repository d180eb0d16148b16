/** The lines that a sink has taken and not yet written. It says of each write only how many bytes it had. */
export class WaitingLines {
  /** Where each of them ends, in bytes since the first line of all. */
  readonly #ends: number[] = [];
  #taken = 0;
  #written = 0;
  /** So many of them, the oldest, were given up. */
  #givenUp = 0;

  get count(): number {
    return this.#ends.length;
  }

  add(line: string): void {
    this.#taken += Buffer.byteLength(line);
    this.#ends.push(this.#taken);
  }

  /** Takes back the line that was added last. */
  takeBack(): void {
    this.#ends.pop();
    this.#taken = this.#ends.at(-1) ?? this.#written;
  }

  /** Removes the lines that end with these bytes; one that is written in part still waits. */
  write(bytes: number): void {
    this.#written += bytes;
    const left = this.#ends.findIndex((end) => end > this.#written);
    const done = this.#ends.splice(0, left === -1 ? this.#ends.length : left).length;
    this.#givenUp = Math.max(0, this.#givenUp - done);
  }

  /** Gives up all of them. Returns how many were not given up before. */
  giveUp(): number {
    const more = this.#ends.length - this.#givenUp;
    this.#givenUp = this.#ends.length;
    return more;
  }
}
