import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { parseJson } from '@loyalty/contract/basket/parse-json';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import { HTTP_OK, type Refusal, refuse, renderError, TRANSPORT_STATUS } from '@loyalty/contract/errors';
import { isUuidInAnyCase, JSON_CONTENT_TYPE, REQUEST_HEADERS, RESPONSE_HEADERS } from '@loyalty/contract/headers';
import { MAX_BODY_BYTES } from '@loyalty/contract/limits';
import express, { type Handler, type Request, type Response } from 'express';
import { type Checked, calculate, findBodyFault } from './calculation.ts';
import { type Ended, Refused, toRefusal, verifyCaller } from './caller.ts';
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
  checked?: Checked;
  ended?: Ended;
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

app.post('/v1/pos/basket', express.raw(rawOptions), verify, validate, async (request, response) => {
  const { checked, rawBody } = localsOf(response);
  sendAnswer(response, await calculate(context, request.headers, checked as Checked, rawBody));
});

app.post('/v1/pos/sale', express.raw(rawOptions), verify, async (request, response) => {
  sendAnswer(response, await settle(context, request.headers, localsOf(response).rawBody));
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

function verify(request: Request, response: Response, next: () => void): void {
  verifyCaller(context, request.headers, localsOf(response).rawBody);
  next();
}

/** Keeps a fault of the body: whether it is answered is known after the rate limit and the stored answer. */
function validate(_request: Request, response: Response, next: () => void): void {
  const locals = localsOf(response);
  const parsed = parseJson(locals.rawBody);
  locals.checked = parsed.ok
    ? (findBodyFault(parsed.value) ?? (parsed.value as BasketRequest))
    : new Refused(parsed.refusal);
  next();
}

/** Converts an error. The body parser's errors have a status: too large, or not JSON. */
function refusalOf(error: Error & { statusCode?: number }): Refusal {
  if (error instanceof Refused || error.statusCode === undefined) return toRefusal(error);
  if (error.statusCode !== TRANSPORT_STATUS.bodyTooLarge) return refuse('invalid_request');
  return refuse('invalid_request', { status: TRANSPORT_STATUS.bodyTooLarge });
}

function sendAnswer(response: Response, ended: Ended): void {
  const { body, isReplayed } = ended;
  localsOf(response).ended = ended;
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
  const { ended, requestId, startMs } = localsOf(response);
  const calculation = ended ? { calculationId: ended.calculationId, replayed: ended.isReplayed } : {};
  const line = { requestId, route: request.path, ...calculation, httpStatus: response.statusCode };
  context.log.info({ ...line, durationMs: performance.now() - startMs }, 'request');
}
