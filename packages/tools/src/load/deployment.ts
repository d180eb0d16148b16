import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { ERRORS } from '@loyalty/contract/errors';
import { JSON_CONTENT_TYPE, REQUEST_HEADERS, RESPONSE_HEADERS } from '@loyalty/contract/headers';
import { signatureHeader } from '@loyalty/contract/signature';
import { Pool } from 'undici';

/** Sends signed calls to a deployment over its public listener, as a POS backend does. */

export const BASKET_PATH = '/v1/pos/basket';
export const SALE_PATH = '/v1/pos/sale';

/** The hard cap of a call (interface, section 4.8): later than this nobody waits for an answer. */
const PATIENCE_MS = 3000;

export interface DeploymentOptions {
  readonly baseUrl: URL;
  /** Signs what `send` sends; what `post` sends is signed already. */
  readonly secret?: Uint8Array;
  /** Connections that are kept open, each with one call at a time. */
  readonly connections: number;
  /** A certificate authority to trust instead of the public ones (PEM). */
  readonly ca?: string | undefined;
}

/** What came back: an answer, or the name of the failure. `isGivenUp`: nothing failed, but nobody waits any longer. */
export type Answer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      readonly body: Buffer;
      /** `app;dur` of Server-Timing in milliseconds; undefined when the answer has none. */
      readonly serverMs: number | undefined;
    }
  | { readonly kind: 'lost'; readonly why: string; readonly isGivenUp: boolean };

export class Deployment {
  readonly #pool: Pool;
  readonly #secret: Uint8Array;
  readonly #prefix: string;

  constructor({ baseUrl, secret = new Uint8Array(), connections, ca }: DeploymentOptions) {
    this.#secret = secret;
    this.#prefix = baseUrl.pathname.replace(/\/$/, '');
    this.#pool = new Pool(baseUrl.origin, {
      connections,
      pipelining: 1,
      headersTimeout: PATIENCE_MS,
      bodyTimeout: PATIENCE_MS,
      connect: { timeout: PATIENCE_MS, ...(ca !== undefined && { ca }) },
    });
  }

  /** Signs a call and sends it. Never throws: what goes wrong is the answer `lost`. */
  send(path: string, calculationId: string, call: object, wantsDetail = false): Promise<Answer> {
    const body = Buffer.from(JSON.stringify(call));
    const headers = {
      'Content-Type': JSON_CONTENT_TYPE,
      [REQUEST_HEADERS.signature]: signatureHeader(this.#secret, Math.floor(Date.now() / 1000), body),
      [REQUEST_HEADERS.idempotencyKey]: calculationId,
      [REQUEST_HEADERS.requestId]: randomUUID(),
      ...(wantsDetail && { [REQUEST_HEADERS.serverTiming]: 'detail' }),
    };
    return this.post(path, headers, body);
  }

  /** Sends a call that is signed already. */
  async post(path: string, headers: Readonly<Record<string, string>>, body: Buffer): Promise<Answer> {
    try {
      const answer = await this.#pool.request({ path: this.#prefix + path, method: 'POST', headers, body });
      const { statusCode: status } = answer;
      const bytes = await buffer(answer.body);
      return { kind: 'answered', status, headers: answer.headers, body: bytes, serverMs: readServerMs(answer.headers) };
    } catch (error) {
      return { kind: 'lost', ...describeLoss(error as NodeJS.ErrnoException) };
    }
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

/**
 * Asks a deployment for the name of its environment, with a signed call that has no effect because its body is no
 * basket. Undefined when it does not say. Throws when it cannot be reached, or rejects the signature.
 */
export async function findEnvironment(deployment: Deployment): Promise<string | undefined> {
  const answer = await deployment.send(BASKET_PATH, randomUUID(), {}, true);
  if (answer.kind === 'lost') throw new Error(`the deployment cannot be reached: ${answer.why}`);
  if (answer.status === ERRORS.invalid_signature.status)
    throw new Error('the deployment rejects the signature: is this its secret?');
  return /(?:^|,) *environment;desc="([^"]+)"/.exec(timingOf(answer.headers))?.[1];
}

function readServerMs(headers: Readonly<Record<string, string | string[] | undefined>>): number | undefined {
  const duration = /(?:^|,) *app;dur=(\d+(?:\.\d+)?)/.exec(timingOf(headers))?.[1];
  return duration === undefined ? undefined : Number(duration);
}

function timingOf(headers: Readonly<Record<string, string | string[] | undefined>>): string {
  return String(headers[RESPONSE_HEADERS.serverTiming.toLowerCase()] ?? '');
}

function describeLoss({ code, message }: NodeJS.ErrnoException) {
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT')
    return { why: 'no answer within 3 s', isGivenUp: true };
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return { why: 'no connection within 3 s', isGivenUp: true };
  return { why: code === undefined ? message : `connection: ${code}`, isGivenUp: false };
}
