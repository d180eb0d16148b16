/**
 * Calls whose last byte has not arrived. Anybody can begin one, signed or not, so they have bounds of their own and no
 * part in admission: how fast somebody sends says nothing about how fast this service answers.
 */

/**
 * So many at once in one process. A proxy that buffers bodies sends each in one piece, and a till on a poor line takes a
 * second: a shop has a handful. When there are more, the oldest is cut: it has had the most time already.
 */
export const MAX_UPLOADS = 1000;
/** All of them together hold so many bytes at most; then, too, the oldest is cut. */
export const MAX_UPLOAD_BYTES = 64 * 1024 * 1024;
/** Longer than a till waits from its first attempt to its decision (3 s, interface, section 8): it has given up. */
export const PATIENCE_MS = 5000;
const CHECK_INTERVAL_MS = 250;

/** Why a call never became whole. All but the first are our doing. */
const UPLOAD_LOSSES = ['aborted', 'late', 'too_many', 'too_many_bytes', 'draining'] as const;
export type UploadLoss = (typeof UPLOAD_LOSSES)[number];

/** What metrics are told. */
export interface UploadState {
  readonly unfinished: number;
  readonly heldBytes: number;
  /** Since the start. */
  readonly lost: Readonly<Record<UploadLoss, number>>;
}

/** One body on its way. */
export interface Upload {
  readonly startMs: number;
  readonly cut: () => void;
  /** What is kept of it. */
  heldBytes: number;
  /** True from its last byte on, or when it was lost. */
  isOver: boolean;
}

export class Uploads {
  /** In the order in which they began: a Set keeps it. */
  readonly #unfinished = new Set<Upload>();
  #heldBytes = 0;
  readonly #lost: Record<UploadLoss, number>;
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#lost = Object.fromEntries(UPLOAD_LOSSES.map((loss) => [loss, 0])) as Record<UploadLoss, number>;
    this.#timer = setInterval(() => this.cutLate(performance.now()), CHECK_INTERVAL_MS);
    this.#timer.unref();
  }

  get state(): UploadState {
    return { unfinished: this.#unfinished.size, heldBytes: this.#heldBytes, lost: { ...this.#lost } };
  }

  /** A body begins. `cut` is called at most once, when it is given up; by then it is over. */
  begin(cut: () => void, startMs: number = performance.now()): Upload {
    const upload = { startMs, cut, heldBytes: 0, isOver: false };
    this.#unfinished.add(upload);
    if (this.#unfinished.size > MAX_UPLOADS) this.#cutOldest('too_many');
    return upload;
  }

  /** So much is kept of it from now on. It may itself be the one that is cut for it. */
  hold(upload: Upload, bytes: number): void {
    this.#heldBytes += bytes - upload.heldBytes;
    upload.heldBytes = bytes;
    while (this.#heldBytes > MAX_UPLOAD_BYTES) this.#cutOldest('too_many_bytes');
  }

  /** Its last byte is there, or it was refused for what it is. */
  finish(upload: Upload): void {
    this.#forget(upload);
  }

  /** Its caller hung up. Returns false when it was over before. */
  abort(upload: Upload): boolean {
    const wasUnfinished = this.#forget(upload);
    if (wasUnfinished) this.#lost.aborted += 1;
    return wasUnfinished;
  }

  /** Cuts what has taken longer than the patience. */
  cutLate(nowMs: number): void {
    for (const upload of this.#unfinished) {
      if (nowMs - upload.startMs <= PATIENCE_MS) return;
      this.#cut(upload, 'late');
    }
  }

  /** Cuts all that there are: the service is going down. */
  cutAll(): void {
    for (const upload of this.#unfinished) this.#cut(upload, 'draining');
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #cutOldest(loss: UploadLoss): void {
    const [oldest] = this.#unfinished;
    if (oldest) this.#cut(oldest, loss);
  }

  #cut(upload: Upload, loss: UploadLoss): void {
    this.#forget(upload);
    this.#lost[loss] += 1;
    upload.cut();
  }

  /** False when it was over before. */
  #forget(upload: Upload): boolean {
    if (upload.isOver) return false;
    upload.isOver = true;
    this.#unfinished.delete(upload);
    this.#heldBytes -= upload.heldBytes;
    return true;
  }
}
