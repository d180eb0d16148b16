import type { HttpResponse } from 'uWebSockets.js';
import { randomUUID } from 'node:crypto';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import { fingerprintOf } from '@loyalty/contract/fingerprint';
import { JSON_CONTENT_TYPE, REQUEST_HEADERS, RESPONSE_HEADERS } from '@loyalty/contract/headers';
import { verifySignature } from '@loyalty/contract/signature';
import { collectBody } from '../../src/gateway/body.ts';
import { library } from '../../src/gateway/http-library.ts';
import { Uploads } from '../../src/gateway/uploads.ts';
import { commitCalculation, findStoredAnswer } from '../../src/store/calculations.ts';
import { readIndexEntry } from '../../src/store/index-entry.ts';
import { memberToken } from '../../src/store/keys.ts';
import { readMember } from '../../src/store/members.ts';
import { announce, openContext } from './context.ts';

/**
 * The floor: the cost of a call without any decision. It has the same HTTP server, the same signature and fingerprint,
 * one JSON.parse and one JSON.stringify, and the same commands to Redis with an answer of the same size. It has no
 * validation, pricing, threads or log: its answer is the request's lines with the fields of a discount. It stores neither the
 * basket nor what benefits gave, which the service keeps of each call. The cost of a service beyond the floor is the cost of its
 * work and of its organisation.
 */

const context = await openContext('floor', { gathersTurns: true });
const { store, tokens, environment } = context;
const { deadlineMs } = environment.latencyBudget;
const club = environment.programmes[0] ?? fail('The configuration has no programme.');

/** As many bytes as the service stores of an answer of 20 lines, which both render again from the request at a replay. */
const STORED = Buffer.alloc(143, 'x');

const uploads = new Uploads();
const app = library.App();

app.post('/v1/pos/basket', (response, request) => {
  const signature = request.getHeader(REQUEST_HEADERS.signature);
  const calculationId = request.getHeader(REQUEST_HEADERS.idempotencyKey);
  const requestId = request.getHeader(REQUEST_HEADERS.requestId) || randomUUID();
  const startMs = performance.now();
  let isAborted = false;
  response.onAborted(() => {
    isAborted = true;
    uploads.abort(upload);
  });
  const reply = (status: string, body: Uint8Array | string, isReplayed = false): void => {
    if (!isAborted) send(response, status, body, requestId, startMs, isReplayed);
  };
  const upload = uploads.begin(() => reply('503 Service Unavailable', ''));
  response.onData(
    collectBody(uploads, upload, false, {
      onBody: async (body) => {
        try {
          const now = Math.floor(Date.now() / 1000);
          if (verifySignature(signature, body, context.secrets, now) !== 'verified')
            return reply('401 Unauthorized', '');
          const answer = await calculate(calculationId, body);
          reply('200 OK', answer.body, answer.isReplayed);
        } catch (error) {
          reply('503 Service Unavailable', (error as Error).message);
        }
      },
      onTooLarge: () => reply('413 Payload Too Large', ''),
      onChunkFault: () => reply('400 Bad Request', ''),
    }),
  );
});

app.listen(context.host, context.port, (socket) => {
  if (!socket) throw new Error('The floor cannot listen.');
  announce(context, library.us_socket_local_port(socket));
});

async function calculate(
  calculationId: string,
  body: Uint8Array<ArrayBuffer>,
): Promise<{ body: Buffer; isReplayed: boolean }> {
  const fingerprint = fingerprintOf(body);
  const basket = JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()) as BasketRequest;
  const { loyaltyId } = basket;
  const { programmeId } = club;
  const token = memberToken(programmeId, loyaltyId);
  const [, entry, snapshot] = await Promise.all([
    tokens.take('basket'),
    readIndexEntry(store, calculationId),
    readMember(store, { token, programmeId, loyaltyId }, true, [calculationId]),
  ]);
  if (entry?.member !== undefined) {
    const stored = await findStoredAnswer(store, calculationId, entry.member, () => fingerprint);
    if (stored.outcome === 'replay') return { body: renderAnswer(basket), isReplayed: true };
  }
  await commitCalculation(store, {
    calculationId,
    member: token,
    fingerprint,
    stored: STORED,
    venueId: basket.context.venueId,
    status: 'applied',
    total: basket.totals.total,
    uses: [],
    common: { uses: [], lent: new Map() },
    given: { programmeId: '', currency: '', benefits: [] },
    kept: Buffer.alloc(0),
    supersedes: undefined,
    entry,
    deadlineMs: snapshot.nowMs + deadlineMs,
    remainingMs: () => deadlineMs,
  });
  return { body: renderAnswer(basket), isReplayed: false };
}

function renderAnswer(basket: BasketRequest): Buffer {
  const { calculationId, orderDiscounts, totals } = basket;
  const { memberLabel } = club;
  return Buffer.from(
    JSON.stringify({
      calculationId,
      status: 'applied',
      memberLabel,
      lines: discounted(basket),
      orderDiscounts,
      totals,
    }),
  );
}

/**
 * Adds the fields of a discount to the lines. The request's own objects are changed, because no other code needs them.
 */
function discounted({ lines }: BasketRequest): object[] {
  return lines.map((line) =>
    Object.assign(line, {
      lineDiscountType: 'percent',
      lineDiscountPercent: 15,
      lineDiscountAmount: 1234,
      lineDiscountText: 'Large basket 15 %',
      showLineDiscountText: true,
      lineDiscountCode: 'loyalty',
    }),
  );
}

function send(
  response: HttpResponse,
  status: string,
  body: Uint8Array | string,
  requestId: string,
  startMs: number,
  isReplayed: boolean,
): void {
  response.cork(() => {
    response.writeStatus(status);
    response.writeHeader(RESPONSE_HEADERS.contentType, JSON_CONTENT_TYPE);
    response.writeHeader(RESPONSE_HEADERS.requestId, requestId);
    response.writeHeader(RESPONSE_HEADERS.serverTiming, `app;dur=${(performance.now() - startMs).toFixed(3)}`);
    if (isReplayed) response.writeHeader(RESPONSE_HEADERS.replayed, 'true');
    response.end(body);
  });
}

function fail(reason: string): never {
  throw new Error(reason);
}
