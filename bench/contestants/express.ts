import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express, { type Handler, type Request, type Response } from 'express';
import { parseJson } from '../../src/basket/parse-json.ts';
import type { BasketRequest } from '../../src/contract/basket-request.ts';
import { HTTP_OK, type Refusal, refuse, renderError, TRANSPORT_STATUS } from '../../src/contract/errors.ts';
import { isUuidInAnyCase, JSON_CONTENT_TYPE, REQUEST_HEADERS, RESPONSE_HEADERS } from '../../src/contract/headers.ts';
import { MAX_BODY_BYTES } from '../../src/contract/limits.ts';
import type { CallKind } from '../../src/store/rate-limit.ts';
import { calculate, findBodyFault } from './calculation.ts';
import { type KnownCall, lookUp, Refused, toRefusal, verifyCaller } from './caller.ts';
import { announce, openContext } from './context.ts';
import { settle } from './sale.ts';

/**
 * The contract on Express 5, in today's usual style: `express.raw` for the bytes that the signature covers, a chain of small
 * middleware that calls `JSON.parse` and a compiled ajv validator, asynchronous handlers that throw, one error handler, pino with one
 * line per request. It is one process and prices in place. ETag and X-Powered-By, of no use here, are switched off.
 */

interface Locals {
  requestId: string;
  startMs: number;
  rawBody: Buffer;
  known?: KnownCall;
}

const context = await openContext('express');
const app = express();
app.disable('x-powered-by');
app.set('etag', false);

const identify: Handler = (request, response, next) => {
  const id = request.headers[REQUEST_HEADERS.requestId];
  const requestId = typeof id === 'string' && isUuidInAnyCase(id) ? id : randomUUID();
  Object.assign(response.locals, { requestId, startMs: performance.now(), rawBody: Buffer.alloc(0) });
  response.on('finish', () => log(request, response));
  next();
};
app.use(identify);

const rawOptions = {
  limit: MAX_BODY_BYTES,
  type: 'application/json',
  verify: (_request: Request, response: Response, body: Buffer) => {
    localsOf(response).rawBody = body;
  },
};

app.post('/v1/pos/basket', express.raw(rawOptions), createLookUp('basket'), validate, async (request, response) => {
  const { known, rawBody } = localsOf(response);
  const { body, isReplayed } = await calculate(context, known as KnownCall, request.body as BasketRequest, rawBody);
  sendAnswer(response, body, isReplayed);
});

app.post('/v1/pos/sale', express.raw(rawOptions), createLookUp('sale'), async (_request, response) => {
  const { known, rawBody } = localsOf(response);
  sendAnswer(response, await settle(context, known as KnownCall, rawBody), false);
});

const refuseMethod: Handler = (_request, response) => {
  const status = TRANSPORT_STATUS.methodNotAllowed;
  response.set(RESPONSE_HEADERS.allow, 'POST');
  sendRefusal(response, refuse('invalid_request', { status, message: 'This path takes POST.' }));
};
app.all('/v1/pos/basket', refuseMethod);
app.all('/v1/pos/sale', refuseMethod);

app.use((_request: Request, response: Response) => {
  const message = 'There is no such path.';
  sendRefusal(response, refuse('invalid_request', { status: TRANSPORT_STATUS.notFound, message }));
});

// Express recognises an error handler by its four parameters.
app.use((error: unknown, _request: Request, response: Response, _next: unknown) => {
  sendRefusal(response, refusalOf(error as Error & { statusCode?: number }));
});

const server = app.listen(context.port, context.host, () => {
  announce(context, (server.address() as AddressInfo).port);
});

function localsOf(response: Response): Locals {
  return response.locals as unknown as Locals;
}

/** Checks signature, rate limit, headers and replay before the validation. */
function createLookUp(kind: CallKind): Handler {
  return async (request, response, next) => {
    const locals = localsOf(response);
    verifyCaller(context, request.headers, locals.rawBody);
    locals.known = await lookUp(context, kind, request.headers, locals.rawBody);
    if (locals.known.stored) sendAnswer(response, locals.known.stored, true);
    else next();
  };
}

function validate(request: Request, response: Response, next: (error?: unknown) => void): void {
  const parsed = parseJson(localsOf(response).rawBody);
  if (!parsed.ok) return next(new Refused(parsed.refusal));
  request.body = parsed.value;
  next(findBodyFault(parsed.value));
}

/** Converts an error. The body parser's errors have a status: too large, or not JSON. */
function refusalOf(error: Error & { statusCode?: number }): Refusal {
  if (error instanceof Refused || error.statusCode === undefined) return toRefusal(error);
  if (error.statusCode !== TRANSPORT_STATUS.bodyTooLarge) return refuse('invalid_request');
  return refuse('invalid_request', { status: TRANSPORT_STATUS.bodyTooLarge });
}

function sendAnswer(response: Response, body: Buffer, isReplayed: boolean): void {
  if (isReplayed) response.set(RESPONSE_HEADERS.replayed, 'true');
  send(response, HTTP_OK, body);
}

function sendRefusal(response: Response, refusal: Refusal): void {
  const { status, retryAfterSeconds } = refusal;
  if (retryAfterSeconds !== undefined) response.set(RESPONSE_HEADERS.retryAfter, String(retryAfterSeconds));
  send(response, status, renderError(refusal, localsOf(response).requestId));
}

function send(response: Response, status: number, body: Buffer | string): void {
  const { requestId, startMs } = localsOf(response);
  response.set(RESPONSE_HEADERS.requestId, requestId);
  response.set(RESPONSE_HEADERS.serverTiming, `app;dur=${(performance.now() - startMs).toFixed(3)}`);
  response.set(RESPONSE_HEADERS.contentType, JSON_CONTENT_TYPE);
  response.status(status).send(body);
}

function log(request: Request, response: Response): void {
  const { known, requestId, startMs } = localsOf(response);
  const calculation = known ? { calculationId: known.calculationId, replayed: known.stored !== undefined } : {};
  const line = { requestId, route: request.path, ...calculation, httpStatus: response.statusCode };
  context.log.info({ ...line, durationMs: performance.now() - startMs }, 'request');
}
