import { randomUUID } from 'node:crypto';
import fastify, { type App, type Reply, type Request } from 'fastify';
import { parseJson } from '../../src/basket/parse-json.ts';
import { BasketRequest } from '../../src/contract/basket-request.ts';
import { type Refusal, refuse, renderError, TRANSPORT_STATUS } from '../../src/contract/errors.ts';
import { isUuidInAnyCase, JSON_CONTENT_TYPE, REQUEST_HEADERS, RESPONSE_HEADERS } from '../../src/contract/headers.ts';
import { MAX_BODY_BYTES } from '../../src/contract/limits.ts';
import type { CallKind } from '../../src/store/rate-limit.ts';
import { calculate, findBodyFault } from './calculation.ts';
import { type KnownCall, lookUp, Refused, toRefusal, verifyCaller } from './caller.ts';
import { announce, openContext } from './context.ts';
import { settle } from './sale.ts';

/**
 * The contract on Fastify 5, in today's usual style: hooks before the validation, a content type parser that keeps the raw bytes
 * for the signature and calls `JSON.parse`, its validation step with a compiled ajv validator, its error handler for every refusal,
 * its pino logger with one line per request. It is one process and prices in place.
 */

interface Call extends Request {
  rawBody: Buffer | null;
  known: KnownCall | null;
}

const context = await openContext('fastify');

const app = fastify({
  bodyLimit: MAX_BODY_BYTES,
  loggerInstance: context.log,
  disableRequestLogging: true,
  genReqId: ({ headers }) => {
    const id = headers[REQUEST_HEADERS.requestId];
    return typeof id === 'string' && isUuidInAnyCase(id) ? id : randomUUID();
  },
});

app.decorateRequest('rawBody', null);
app.decorateRequest('known', null);

app.addHook('onSend', async (request, reply, payload) => {
  reply.header(RESPONSE_HEADERS.requestId, request.id);
  reply.header(RESPONSE_HEADERS.serverTiming, `app;dur=${reply.elapsedTime.toFixed(3)}`);
  return payload;
});

app.addHook('onResponse', async (request, reply) => {
  const { known } = request as Call;
  const calculation = known ? { calculationId: known.calculationId, replayed: known.stored !== undefined } : {};
  const line = { requestId: request.id, route: request.url, ...calculation, httpStatus: reply.statusCode };
  context.log.info({ ...line, durationMs: reply.elapsedTime }, 'request');
});

app.setValidatorCompiler(() => (data) => {
  const fault = findBodyFault(data);
  return fault ? { error: fault } : true;
});

app.setErrorHandler((error, request, reply) => sendRefusal(request, reply, refusalOf(error)));

app.setNotFoundHandler((request, reply) => {
  const message = 'There is no such path.';
  return sendRefusal(request, reply, refuse('invalid_request', { status: TRANSPORT_STATUS.notFound, message }));
});

app.register(async (scope) => {
  const path = '/v1/pos/basket';
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    (request as Call).rawBody = body;
    const parsed = parseJson(body);
    if (parsed.ok) done(null, parsed.value);
    else done(new Refused(parsed.refusal));
  });
  const options = { schema: { body: BasketRequest }, preValidation: createLookUp('basket') };
  scope.post(path, options, async (request, reply) => {
    const { known, rawBody } = request as Call;
    const basket = request.body as BasketRequest;
    const { body, isReplayed } = await calculate(context, known as KnownCall, basket, rawBody as Buffer);
    return sendAnswer(reply, body, isReplayed);
  });
  refuseOtherMethods(scope, path);
});

app.register(async (scope) => {
  const path = '/v1/pos/sale';
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    (request as Call).rawBody = body;
    done(null, body);
  });
  scope.post(path, { preValidation: createLookUp('sale') }, async (request, reply) => {
    const { known, rawBody } = request as Call;
    return sendAnswer(reply, await settle(context, known as KnownCall, rawBody as Buffer), false);
  });
  refuseOtherMethods(scope, path);
});

const address = await app.listen({ host: context.host, port: context.port });
announce(context, Number(new URL(address).port));

/** Checks signature, rate limit, headers and replay before the validation. */
function createLookUp(kind: CallKind): (request: Request, reply: Reply) => Promise<unknown> {
  return async (request, reply) => {
    const call = request as Call;
    call.rawBody ??= Buffer.alloc(0);
    verifyCaller(context, call.headers, call.rawBody);
    call.known = await lookUp(context, kind, call.headers, call.rawBody);
    return call.known.stored ? sendAnswer(reply, call.known.stored, true) : undefined;
  };
}

function refuseOtherMethods(scope: App, url: string): void {
  const method = ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
  const handler = async (request: Request, reply: Reply) => {
    const status = TRANSPORT_STATUS.methodNotAllowed;
    reply.header(RESPONSE_HEADERS.allow, 'POST');
    return sendRefusal(request, reply, refuse('invalid_request', { status, message: 'This path takes POST.' }));
  };
  scope.route({ method, url, handler });
}

/** Converts an error. The framework's own body parser's errors have a status: too large, or not JSON. */
function refusalOf(error: Error & { statusCode?: number }): Refusal {
  if (error instanceof Refused || error.statusCode === undefined) return toRefusal(error);
  if (error.statusCode !== TRANSPORT_STATUS.bodyTooLarge) return refuse('invalid_request');
  return refuse('invalid_request', { status: TRANSPORT_STATUS.bodyTooLarge });
}

function sendAnswer(reply: Reply, body: Buffer, isReplayed: boolean): Reply {
  if (isReplayed) reply.header(RESPONSE_HEADERS.replayed, 'true');
  return reply.type(JSON_CONTENT_TYPE).send(body);
}

function sendRefusal(request: Request, reply: Reply, refusal: Refusal): Reply {
  const { status, retryAfterSeconds } = refusal;
  if (retryAfterSeconds !== undefined) reply.header(RESPONSE_HEADERS.retryAfter, String(retryAfterSeconds));
  return reply.code(status).type(JSON_CONTENT_TYPE).send(renderError(refusal, request.id));
}
