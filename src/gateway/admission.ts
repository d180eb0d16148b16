/** Calls in flight beyond this are refused before anything is read of them. */
const MAX_IN_FLIGHT = 2000;

/** Counts the calls in flight and says whether one more is taken in. */
export class Admission {
  #inFlight = 0;
  #isDraining = false;

  get inFlight(): number {
    return this.#inFlight;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** From now on connections end with their answer. */
  startDraining(): void {
    this.#isDraining = true;
  }

  /** True when the call is taken in; then `leave` must follow. */
  enter(): boolean {
    if (this.#inFlight >= MAX_IN_FLIGHT) return false;
    this.#inFlight += 1;
    return true;
  }

  leave(): void {
    this.#inFlight -= 1;
  }
}
