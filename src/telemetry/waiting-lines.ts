/** The lines that a sink has taken and not yet written. It says of each write only how many bytes it had. */
export class WaitingLines {
  /** Where each of them ends, in bytes since the first line of all. */
  readonly #ends: number[] = [];
  #taken = 0;
  #written = 0;

  get count(): number {
    return this.#ends.length;
  }

  add(line: string): void {
    this.#taken += Buffer.byteLength(line);
    this.#ends.push(this.#taken);
  }

  /** Takes the last line back. */
  takeBack(): void {
    this.#ends.pop();
    this.#taken = this.#ends.at(-1) ?? this.#written;
  }

  /** Removes what is written with these bytes; a line that is written in part still waits. */
  write(bytes: number): void {
    this.#written += bytes;
    const left = this.#ends.findIndex((end) => end > this.#written);
    this.#ends.splice(0, left === -1 ? this.#ends.length : left);
  }
}
