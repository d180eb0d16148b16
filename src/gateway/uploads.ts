/**
 * Calls whose last byte has not arrived. Anybody can begin one, signed or not, so uploads have bounds of their own,
 * apart from admission: the speed of a sender says nothing about the speed of this service.
 */

/**
 * The most uploads at once in one process. A proxy that buffers bodies sends each in one piece, and a till on a poor
 * line takes a second, so a shop has a handful. Above the limit the oldest is cut, because it has had the most time.
 */
export const MAX_UPLOADS = 1000;
/** The most bytes that all uploads hold together; above it, too, the oldest is cut. */
export const MAX_UPLOAD_BYTES = 64 * 1024 * 1024;
/**
 * Longer than a till waits from its first attempt to its decision (3 s, interface, section 8): by then it has given up.
 */
const PATIENCE_MS = 5000;
const CHECK_INTERVAL_MS = 250;
/**
 * The most small chunks of all bodies in one interval. Each costs the event loop a microsecond or two, whatever is in it:
 * all together may take a thirtieth of its time.
 */
const MAX_SMALL_CHUNKS = 4096;

/** The reasons why a call stayed incomplete. All but `aborted` are decided by this service. */
const UPLOAD_LOSSES = ['aborted', 'late', 'too_many', 'too_many_bytes', 'draining'] as const;
export type UploadLoss = (typeof UPLOAD_LOSSES)[number];

/** The state of the uploads, for metrics. */
export interface UploadState {
  readonly unfinished: number;
  readonly heldBytes: number;
  /** Since the start. */
  readonly lost: Readonly<Record<UploadLoss, number>>;
}

/** One body that is arriving. */
export interface Upload {
  readonly startMs: number;
  readonly onCut: (loss: UploadLoss) => void;
  /** Bytes buffered for it. */
  heldBytes: number;
  /** Gives the buffer's memory back, where nobody will read it. */
  release: () => void;
  /** True after its last byte, or once it is lost. */
  isOver: boolean;
}

export class Uploads {
  /** In order of their start, which a Set keeps. */
  readonly #unfinished = new Set<Upload>();
  #heldBytes = 0;
  /** Since the last check. */
  #smallChunks = 0;
  readonly #lost: Record<UploadLoss, number>;
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#lost = Object.fromEntries(UPLOAD_LOSSES.map((loss) => [loss, 0])) as Record<UploadLoss, number>;
    this.#timer = setInterval(() => {
      this.#smallChunks = 0;
      this.cutLate(performance.now());
    }, CHECK_INTERVAL_MS);
    this.#timer.unref();
  }

  get state(): UploadState {
    return { unfinished: this.#unfinished.size, heldBytes: this.#heldBytes, lost: { ...this.#lost } };
  }

  /** Begins an upload that is cut by `onCut`: at most once, and it is over by then. */
  begin(onCut: (loss: UploadLoss) => void): Upload {
    const upload = { startMs: performance.now(), onCut, heldBytes: 0, release: () => undefined, isOver: false };
    this.#unfinished.add(upload);
    if (this.#unfinished.size > MAX_UPLOADS) this.#cutOldest('too_many');
    return upload;
  }

  /** Records how many bytes the upload holds now. This may cut uploads, even this one. */
  hold(upload: Upload, bytes: number): void {
    this.#heldBytes += bytes - upload.heldBytes;
    upload.heldBytes = bytes;
    while (this.#heldBytes > MAX_UPLOAD_BYTES) this.#cutOldest('too_many_bytes');
  }

  /** Takes a place for a small chunk. Returns false when this interval has no more. */
  takeSmallChunk(): boolean {
    this.#smallChunks += 1;
    return this.#smallChunks <= MAX_SMALL_CHUNKS;
  }

  /** Ends an upload whose last byte arrived. */
  finish(upload: Upload): void {
    this.#forget(upload);
  }

  /** Ends an upload that is refused for its content. */
  giveUp(upload: Upload): void {
    if (this.#forget(upload)) upload.release();
  }

  /** Ends an upload whose caller hung up. Returns false when it was over before. */
  abort(upload: Upload): boolean {
    const wasUnfinished = this.#forget(upload);
    if (wasUnfinished) {
      this.#lost.aborted += 1;
      upload.release();
    }
    return wasUnfinished;
  }

  /** Cuts every upload older than `PATIENCE_MS`. */
  cutLate(nowMs: number): void {
    for (const upload of this.#unfinished) {
      if (nowMs - upload.startMs <= PATIENCE_MS) return;
      this.#cut(upload, 'late');
    }
  }

  /** Cuts every upload, because the service is going down. */
  cutAll(): void {
    for (const upload of this.#unfinished) this.#cut(upload, 'draining');
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #cutOldest(loss: UploadLoss): void {
    // What exceeds a bound is unfinished.
    const [oldest] = this.#unfinished;
    this.#cut(oldest!, loss);
  }

  #cut(upload: Upload, loss: UploadLoss): void {
    this.#forget(upload);
    this.#lost[loss] += 1;
    upload.release();
    upload.onCut(loss);
  }

  /** Returns false when it was over before. */
  #forget(upload: Upload): boolean {
    if (upload.isOver) return false;
    upload.isOver = true;
    this.#unfinished.delete(upload);
    this.#heldBytes -= upload.heldBytes;
    return true;
  }
}
