import { type Exchange, headerValues, isRecord } from '../../packages/conformance/src/kit/exchange.ts';
import { BASKET_PATH, Target } from '../../packages/conformance/src/kit/target.ts';
import type { Case } from './cases.ts';

/** The compared parts of an answer. */
export interface SeenAnswer {
  readonly status: number;
  /** The parsed body without the request ID; for a parser's fault the code alone. */
  readonly body: unknown;
  readonly bytes: number;
  readonly headers: Readonly<Record<string, string>>;
}

const REQUEST_ID = '11111111-1111-4111-8111-111111111111';
/** All calls of a comparison are sent as soon as the one before is answered. */
const UNPACED = 1_000_000;

/** Opens the kit's caller, signing with `secret` (hex). Differences are found by comparison, so nobody listens. */
export function openTarget(url: string, secret: string): Target {
  const reach = { baseUrl: new URL(url), secret: Buffer.from(secret, 'hex'), requestsPerSecond: UNPACED };
  const deaf = { onExchange: () => undefined, onBroken: () => undefined };
  return new Target({ ...reach, ca: undefined, headers: { 'X-Request-Id': REQUEST_ID } }, deaf);
}

/** Sends a case. The answer counts even if the connection ends before the request was sent completely. */
export async function sendCase(target: Target, sent: Case): Promise<SeenAnswer> {
  const exchange = await target.send(sent.path ?? BASKET_PATH, sent.body, { ...sent.sending, mayBreak: true });
  return {
    status: exchange.status,
    body: comparable(exchange.body, sent.isParserFault === true),
    bytes: exchange.bytes.length,
    headers: sent.isParserFault ? {} : contractHeaders(exchange),
  };
}

function comparable(body: unknown, isParserFault: boolean): unknown {
  const error = isRecord(body) ? body['error'] : undefined;
  if (!isRecord(error)) return body;
  const { requestId: _own, ...compared } = error;
  return { error: isParserFault ? { code: error['code'] } : compared };
}

/** Selects the headers of the interface; of the processing time only its presence is compared. */
function contractHeaders(exchange: Exchange): Record<string, string> {
  const names = ['Content-Type', 'X-Request-Id', 'Idempotent-Replayed', 'Retry-After', 'Allow'];
  const seen = names.flatMap((name) => headerValues(exchange, name).map((value) => [name, value] as const));
  const timing = /^app;dur=[\d.]+/.test(headerValues(exchange, 'Server-Timing')[0] ?? '') ? 'app;dur=…' : 'missing';
  return { ...Object.fromEntries(seen), 'Server-Timing': timing };
}
