import type { HttpResponse } from 'uWebSockets.js';
import { TRANSPORT_HEADERS } from '@loyalty/contract/headers';

/**
 * The description of the interface on the public listener, for callers without access to the operations port. Whoever asks is a
 * stranger: pages are few a second and few at once, and nothing is computed for them.
 */

export interface PublicPage {
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Bounds of each process. A page has some 150 KB, so this is 3 MB a second, and 1 MB that readers have not taken yet. */
const MAX_PAGES_PER_SECOND = 20;
const MAX_UNDER_WAY = 8;
/** For a whole page; a reader who takes it byte by byte would keep its place for ever. */
const MAX_READ_MS = 10_000;
const MS_PER_SECOND = 1_000;

export class PublicPages {
  /** The paths that may be published; what else the operations port shows stays there. */
  readonly paths: readonly string[] = ['/docs', '/openapi.json'];
  readonly #find: (path: string) => PublicPage | undefined;
  /** Of the pages of this configuration; those of the one before go with it. */
  readonly #bytes = new WeakMap<PublicPage, Buffer>();
  #underWay = 0;
  #second = 0;
  #begunInSecond = 0;

  /** `find` gives the rendered page of a path, the same object until the configuration changes. */
  constructor(find: (path: string) => PublicPage | undefined) {
    this.#find = find;
  }

  /** The page, and its place among those that may be under way; undefined when there is no place. */
  take(path: string): PublicPage | undefined {
    const second = Math.floor(performance.now() / MS_PER_SECOND);
    if (second !== this.#second) {
      this.#second = second;
      this.#begunInSecond = 0;
    }
    if (this.#underWay >= MAX_UNDER_WAY || this.#begunInSecond >= MAX_PAGES_PER_SECOND) return undefined;
    const page = this.#find(path);
    if (page === undefined) return undefined;
    this.#begunInSecond += 1;
    this.#underWay += 1;
    return page;
  }

  /** Gives back the place of a page that is not written after all. */
  release(): void {
    this.#underWay -= 1;
  }

  /**
   * Writes the body as its reader takes it, and gives the place back. The header asks the reader to close; whoever keeps the
   * connection and asks again is one more of the few pages a second.
   */
  write(response: HttpResponse, page: PublicPage): void {
    const bytes = this.#bytesOf(page);
    /** The library tells of one end alone: the body is sent, or its reader has gone. */
    const finish = (): void => {
      clearTimeout(timer);
      this.release();
    };
    const timer = setTimeout(() => response.close(), MAX_READ_MS);
    timer.unref();
    response.onAborted(finish);
    /** The library's optional write copies nothing that the peer does not take. */
    const writeFrom = (offset: number): boolean => {
      const [isTaken, isDone] = response.tryEnd(bytes.subarray(offset), bytes.length);
      if (isDone) finish();
      return isTaken;
    };
    response.writeHeader(TRANSPORT_HEADERS.connection, 'close');
    if (!writeFrom(0)) response.onWritable(writeFrom);
  }

  #bytesOf(page: PublicPage): Buffer {
    const known = this.#bytes.get(page);
    if (known) return known;
    const bytes = Buffer.from(page.body);
    this.#bytes.set(page, bytes);
    return bytes;
  }
}
