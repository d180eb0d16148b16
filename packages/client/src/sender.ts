import type { Dispatcher } from 'undici';
import { type AttemptResult, sendOnce } from './attempt.ts';
import { readHeaders } from './extra-headers.ts';
import type { Settings } from './options.ts';
import { type Call, requestOf } from './request.ts';

/** Makes the attempts of one endpoint: signed with the secret of this moment, with the caller's own headers. */
export class Sender {
  readonly #dispatcher: Dispatcher;
  readonly #settings: Settings;
  readonly #tellFault: (detail: string, calculationIds: readonly string[]) => void;

  constructor(
    dispatcher: Dispatcher,
    settings: Settings,
    tellFault: (detail: string, calculationIds: readonly string[]) => void,
  ) {
    this.#dispatcher = dispatcher;
    this.#settings = settings;
    this.#tellFault = tellFault;
  }

  /** Sends a call once and resolves, never rejects, within `timeoutMs`. `requestId` is that of this attempt alone. */
  send(call: Call, requestId: string, timeoutMs: number): Promise<AttemptResult> {
    const { origin, secret } = this.#settings;
    const request = requestOf(call, secret, requestId, Date.now(), this.#headersOf(call, requestId));
    return sendOnce(this.#dispatcher, origin, request, timeoutMs);
  }

  /** A header that cannot be had, or cannot be sent, is left out: a trace is worth less than a guest's discount. */
  #headersOf({ calculationId, path }: Call, requestId: string): readonly string[] {
    const { headers } = this.#settings;
    try {
      return readHeaders(typeof headers === 'function' ? headers({ calculationId, requestId, path }) : headers);
    } catch (error) {
      this.#tellFault(`a call goes without its own headers: ${(error as Error)?.message}`, [calculationId]);
      return [];
    }
  }
}
