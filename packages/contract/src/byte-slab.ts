/** Bytes that are cut from one piece of memory until it is used up. */
const SLAB_BYTES = 64 * 1024;
/** More than this has memory of its own, so that little of a slab is left over. */
const MAX_CUT_BYTES = SLAB_BYTES / 4;
/** Cuts begin at multiples of this, as the collector's and the processor's own do. */
const ALIGNMENT_MASK = 7;

/**
 * Memory for bytes that live as long as a call does. Bodies of some kilobytes would each be an allocation of the system, a
 * registration with the collector and a release in another thread: together more than a tenth of a refused call.
 * A slab is released with the last of its cuts, so what stays longer than a call has to be
 * copied out of it, and so does what goes to another thread.
 */
export class ByteSlab {
  #slab = new ArrayBuffer(0);
  #at = 0;

  /** Takes so many bytes, with any content. */
  take(length: number): Uint8Array<ArrayBuffer> {
    if (length > MAX_CUT_BYTES) return new Uint8Array(new ArrayBuffer(length));
    if (this.#at + length > this.#slab.byteLength) {
      this.#slab = Buffer.allocUnsafeSlow(SLAB_BYTES).buffer;
      this.#at = 0;
    }
    const taken = new Uint8Array(this.#slab, this.#at, length);
    this.#at = (this.#at + length + ALIGNMENT_MASK) & ~ALIGNMENT_MASK;
    return taken;
  }
}

/**
 * Gives the memory of large bytes back at once; they are empty from then on. The collector counts such memory as growth of
 * the old generation, although it dies young: one basket of 200 lines in ten made it mark the whole heap every 0.7 s, and all
 * other calls waited. Small bytes are left to it, because freeing each costs more than that.
 */
export function releaseLarge(bytes: Uint8Array): void {
  const { buffer, byteLength } = bytes;
  // Bytes that are a part of a slab share its memory with others.
  if (byteLength <= MAX_CUT_BYTES || byteLength !== buffer.byteLength) return;
  if (buffer instanceof ArrayBuffer) buffer.transfer(0);
}
