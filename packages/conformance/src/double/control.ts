import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { HTTP_OK, refuse, TRANSPORT_STATUS } from '@loyalty/contract/errors';
import { RESPONSE_HEADERS } from '@loyalty/contract/headers';
import { attemptRuleOf } from './attempt-rule.ts';
import type { Call } from './call.ts';
import { jsonParcel, refusalParcel, send } from './delivery.ts';
import type { Misbehaviour } from './misbehaviour.ts';
import { CONTROL, provocationOf } from './provocation.ts';
import { MISBEHAVIOURS, misbehaviourOf } from './table.ts';
import { renderVerdict, type Verdict } from './verdict.ts';

/** The double's own paths, which a tester calls: the table, the next misbehaviour, what was seen, and the verdict. */

const TEXT = 'text/plain; charset=utf-8';

/** The part of a double that its paths show. */
export interface Controlled {
  arm(code: string, run?: string, spared?: Socket): Promise<void>;
  record(run?: string): object[];
  forget(run?: string): number;
  verdict(run?: string): Verdict;
}

export function isControl(path: string): boolean {
  return Object.values<string>(CONTROL).includes(path);
}

/** Answers a call of a tester. */
export function answerControl(double: Controlled, call: Call, response: ServerResponse): void {
  const { path, method, run } = call;
  const isRead = method === 'GET' || method === 'HEAD';
  if (path === CONTROL.next) return armNext(double, call, response);
  if (path === CONTROL.table) return sendJson(response, describeTable());
  if (path === CONTROL.seen && method === 'DELETE') return sendJson(response, { forgotten: double.forget(run) });
  if (path === CONTROL.seen && isRead) return sendJson(response, double.record(run));
  if (path === CONTROL.verdict && isRead) return sendVerdict(double.verdict(run), call, response);
  const allowed = path === CONTROL.seen ? 'GET, DELETE' : 'GET';
  const refusal = refuse('invalid_request', {
    message: `${path} takes ${allowed}.`,
    status: TRANSPORT_STATUS.methodNotAllowed,
  });
  response.setHeader(RESPONSE_HEADERS.allow, allowed);
  return send(response, refusalParcel(refusal, randomUUID()));
}

function armNext(double: Controlled, { method, body, run }: Call, response: ServerResponse): void {
  const code = method === 'POST' ? body.toString().trim() : '';
  if (!misbehaviourOf(code)) {
    const refusal = refuse('invalid_request', { message: 'The body is a code of the table.' });
    return send(response, refusalParcel(refusal, randomUUID()));
  }
  // Whoever has this answer may call at once, so the misbehaviour is in force before it.
  void double.arm(code, run, response.socket ?? undefined);
  response.setHeader('Connection', 'close');
  sendJson(response, {});
}

function sendVerdict(verdict: Verdict, { headers, format }: Call, response: ServerResponse): void {
  const isText = format === undefined ? prefersText(headers['accept'] ?? '') : format === 'text';
  if (!isText) return sendJson(response, verdict);
  const body = Buffer.from(renderVerdict(verdict));
  send(response, { status: HTTP_OK, headers: { [RESPONSE_HEADERS.contentType]: TEXT }, body });
}

/** Text for whoever asks for it; JSON for everybody else, `*` included. */
function prefersText(accept: string): boolean {
  const types = accept.split(',').map((part) => part.split(';')[0]!.trim().toLowerCase());
  const text = types.indexOf('text/plain');
  const json = types.indexOf('application/json');
  return text >= 0 && (json < 0 || text < json);
}

function sendJson(response: ServerResponse, value: unknown): void {
  send(response, jsonParcel(value));
}

/** The table without its functions. */
export function describeTable() {
  return Object.entries(MISBEHAVIOURS).map(([code, row]: [string, Misbehaviour]) => ({
    code,
    endpoint: row.endpoint,
    what: row.what,
    provoke: provocationOf(code, row),
    callerMust: row.callerMust,
    right: row.right,
    attempts: attemptRuleOf(row),
  }));
}
