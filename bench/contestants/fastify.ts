import { randomUUID } from 'node:crypto';
import { parseJson } from '@loyalty/contract/basket/parse-json';
import { BasketRequest } from '@loyalty/contract/basket-request';
import { type Refusal, refuse, renderError, TRANSPORT_STATUS } from '@loyalty/contract/errors';
import { isUuidInAnyCase, JSON_CONTENT_TYPE, REQUEST_HEADERS, RESPONSE_HEADERS } from '@loyalty/contract/headers';
import { MAX_BODY_BYTES } from '@loyalty/contract/limits';
import fastify, { type App, type Reply, type Request } from 'fastify';
import { calculate, findBodyFault } from './calculation.ts';
import { type Ended, Refused, toRefusal, verifyCaller } from './caller.ts';
import { announce, openContext } from './context.ts';
import { settle } from './sale.ts';

/**
 * The contract on Fastify 5, in today's usual style: hooks before the validation, a content type parser that keeps the raw bytes
 * for the signature and calls `JSON.parse`, its validation step with a compiled ajv validator, its error handler for every refusal,
 * its pino logger with one line per request. It is one process and prices in place.
 */

interface Call extends Request {
  rawBody: Buffer | null;
  ended: Ended | null;
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
app.decorateRequest('ended', null);

app.addHook('onSend', async (request, reply, payload) => {
  reply.header(RESPONSE_HEADERS.requestId, request.id);
  reply.header(RESPONSE_HEADERS.serverTiming, `app;dur=${reply.elapsedTime.toFixed(3)}`);
  return payload;
});

app.addHook('onResponse', async (request, reply) => {
  const { ended } = request as Call;
  const calculation = ended ? { calculationId: ended.calculationId, replayed: ended.isReplayed } : {};
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
  // A fault of the body is attached: whether it is answered is known after the rate limit and the stored answer.
  const options = { schema: { body: BasketRequest }, attachValidation: true, preValidation: verify };
  scope.post(path, options, async (request, reply) => {
    const call = request as Call;
    const checked = (request.validationError as Refused | undefined) ?? (request.body as BasketRequest);
    call.ended = await calculate(context, request.headers, checked, call.rawBody as Buffer);
    return sendAnswer(reply, call.ended);
  });
  refuseOtherMethods(scope, path);
});

app.register(async (scope) => {
  const path = '/v1/pos/sale';
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    (request as Call).rawBody = body;
    done(null, body);
  });
  scope.post(path, { preValidation: verify }, async (request, reply) => {
    const call = request as Call;
    call.ended = await settle(context, request.headers, call.rawBody as Buffer);
    return sendAnswer(reply, call.ended);
  });
  refuseOtherMethods(scope, path);
});

const address = await app.listen({ host: context.host, port: context.port });
announce(context, Number(new URL(address).port));

/** Checks the signature before the validation. */
async function verify(request: Request): Promise<void> {
  const call = request as Call;
  call.rawBody ??= Buffer.alloc(0);
  verifyCaller(context, call.headers, call.rawBody);
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

function sendAnswer(reply: Reply, { body, isReplayed }: Ended): Reply {
  if (isReplayed) reply.header(RESPONSE_HEADERS.replayed, 'true');
  return reply.type(JSON_CONTENT_TYPE).send(body);
}

function sendRefusal(request: Request, reply: Reply, refusal: Refusal): Reply {
  const { status, retryAfterSeconds } = refusal;
  if (retryAfterSeconds !== undefined) reply.header(RESPONSE_HEADERS.retryAfter, String(retryAfterSeconds));
  return reply.code(status).type(JSON_CONTENT_TYPE).send(renderError(refusal, request.id));
}
