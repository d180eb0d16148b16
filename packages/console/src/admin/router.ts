import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { matchBearer } from '@loyalty/contract/bearer';
import { HTTP_OK } from '@loyalty/contract/errors';
import { isUuidInAnyCase, JSON_CONTENT_TYPE } from '@loyalty/contract/headers';
import { MAX_BODY_BYTES } from '@loyalty/contract/limits';
import { StoreUnavailable } from '../../../../src/redis/failure.ts';
import { OPS_ROLES, type OpsRole } from '../../../../src/settings/tokens.ts';
import { type Change, noteChange } from '../../../../src/store/changes.ts';
import type { LineBudget } from '../line-budget.ts';
import type { Administration } from './administration.ts';
import { withPseudonyms } from './audited-members.ts';
import { CSV_CONTENT_TYPE } from './csv.ts';
import { InvalidRequest } from './invalid-request.ts';
import { readValue } from './request-body.ts';
import { type AdminAnswer, type AdminCall, type AdminRoute, actionOf, refused } from './route.ts';
import { ADMIN_ROUTES } from './routes.ts';

const CLOSED =
  'Administration is closed here: no OPS_TOKEN is set, and production makes none up. Set it and start again.';
const NO_TOKEN =
  'Authorization: Bearer <token> is missing, or no token of OPS_TOKEN; in staging it is in DATA_DIR/ops-token.';

/** The routes, with a group for each `{name}` of the path: one segment, still encoded. */
const PATTERNS = ADMIN_ROUTES.map((route) => {
  return { route, pattern: new RegExp(`^${route.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]*)')}$`) };
});

/** True for any path of the administration; without a token, known and unknown paths get the same answer. */
export function isAdminPath(path: string): boolean {
  return path === '/admin' || path.startsWith('/admin/');
}

/**
 * Answers one call of the administration. Checks the token, the route, the method and the body, then calls the route's
 * handler. Never throws. `strangerLines` bounds the lines of the log about those who have no token.
 */
export async function answerAdmin(
  administration: Administration,
  strangerLines: LineBudget,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const given = request.headers['x-request-id'];
  const requestId = typeof given === 'string' && isUuidInAnyCase(given) ? given : randomUUID();
  response.setHeader('X-Request-Id', requestId);
  let answer: AdminAnswer;
  let text: string;
  try {
    answer = await decide(administration, strangerLines, request, response, requestId);
    text = textOf(answer, requestId);
  } catch (error) {
    // The caller hung up in its body: nothing was done, and nobody waits for an answer.
    if (request.destroyed && !request.complete) return;
    answer = describeFailure(administration, requestId, error);
    text = textOf(answer, requestId);
  }
  if (answer.etag !== undefined) response.setHeader('ETag', answer.etag);
  const contentType = answer.csv === undefined ? JSON_CONTENT_TYPE : CSV_CONTENT_TYPE;
  response.writeHead(answer.status, { 'content-type': contentType, 'cache-control': 'no-store' });
  response.end(text);
}

function textOf({ json, csv }: AdminAnswer, requestId: string): string {
  if (csv !== undefined) return csv;
  const { error } = json as { error?: object };
  return `${JSON.stringify(error === undefined ? json : { error: { ...error, requestId } })}\n`;
}

async function decide(
  administration: Administration,
  strangerLines: LineBudget,
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
): Promise<AdminAnswer> {
  const { tokens, audit } = administration;
  if (tokens.length === 0) return refused('forbidden', CLOSED);
  const known = matchBearer(
    request.headers.authorization,
    tokens.map(({ token }) => token),
  );
  if (known === undefined) {
    if (strangerLines.take()) {
      audit.warn({ requestId, remote: request.socket.remoteAddress }, 'administration refused');
    }
    // A body in chunks has no end that is known, and each chunk costs the event loop.
    if (request.headers['transfer-encoding'] !== undefined) response.setHeader('Connection', 'close');
    response.setHeader('WWW-Authenticate', 'Bearer realm="administration"');
    return refused('unauthorized', NO_TOKEN);
  }
  const { name: who, role } = tokens[known]!;
  const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s);
  const matches = PATTERNS.flatMap(({ route, pattern }) => {
    const match = pattern.exec(path);
    return match ? [{ route, encoded: match.groups ?? {} }] : [];
  });
  if (matches.length === 0)
    return refused('notFound', 'There is no such path; /openapi-admin.json lists what there is.');
  const match = matches.find(({ route }) => route.method === request.method);
  if (!match) {
    const allowed = matches.map(({ route }) => route.method).join(', ');
    response.setHeader('Allow', allowed);
    return refused('methodNotAllowed', `${request.method} is not allowed here, ${allowed} is.`);
  }
  const { route } = match;
  const action = actionOf(route);
  const caller = { who, role, requestId, action };
  if (!mayUse(role, route)) {
    audit.warn(caller, 'administration refused');
    return refused('forbidden', `This needs a token of the role ${route.role}; the one of ${who} has ${role}.`);
  }
  const parameters = decodeParameters(match.encoded);
  if (!parameters) return refused('invalid', 'The path is not percent-encoded UTF-8.');
  const asked = new URLSearchParams(query);
  const fault = findQueryFault(asked, Object.keys(route.query ?? {}));
  if (fault !== undefined) return refused('invalid', fault);
  const { maxBodyBytes = MAX_BODY_BYTES } = route;
  const body = await readBody(request, maxBodyBytes);
  if (!body) return refused('bodyTooLarge', `The body is larger than ${maxBodyBytes} bytes.`);
  const { 'if-match': ifMatch, accept } = request.headers;
  const call = { who, requestId, ifMatch, accept, parameters, query: asked, body, value: undefined };
  const answer = await handle(route, administration, call);
  const facts = await withPseudonyms(administration.current().store, answer.audit ?? {});
  audit.info({ ...caller, ...facts, httpStatus: answer.status }, 'administration');
  if (isChange(route, answer)) await listChange(administration, { who, action, facts: { ...facts } });
  return answer;
}

function isChange({ method, isUnlisted }: AdminRoute, { status, changesNothing }: AdminAnswer): boolean {
  return method !== 'GET' && !isUnlisted && !changesNothing && status === HTTP_OK;
}

/** The change itself is done, and stands in the audit log: that it cannot be listed is no reason to call it failed. */
async function listChange({ current, log }: Administration, change: Change): Promise<void> {
  await noteChange(current().store, change).catch((error: Error) =>
    log.warn({ reason: error.message, action: change.action }, 'change not listed'),
  );
}

function mayUse(role: OpsRole, route: AdminRoute): boolean {
  if (role === 'vendor' || role === 'pos') return route.alsoFor?.includes(role) ?? false;
  return OPS_ROLES.indexOf(role) >= OPS_ROLES.indexOf(route.role);
}

/** Calls the handler. A call that fails is in the audit log too, because it may have read or written something. */
async function handle(route: AdminRoute, administration: Administration, call: AdminCall): Promise<AdminAnswer> {
  try {
    return await route.handle(administration, { ...call, value: readValue(route.requestSchema, call.body) });
  } catch (error) {
    if (error instanceof InvalidRequest) return refused('invalid', error.message);
    return describeFailure(administration, call.requestId, error);
  }
}

/** A misspelt name would be ignored, and the answer would be one to another question. */
function findQueryFault(query: URLSearchParams, names: readonly string[]): string | undefined {
  const allowed = names.join(', ') || 'none';
  for (const name of query.keys()) {
    if (!names.includes(name))
      return `The query has the unknown parameter ${JSON.stringify(name)}, allowed: ${allowed}.`;
    if (query.getAll(name).length > 1) return `The query has the name ${name} more than once.`;
  }
  return undefined;
}

/** Decodes the parameters after the path was split, because an ID may contain a slash. */
function decodeParameters(parameters: AdminCall['parameters']): AdminCall['parameters'] | undefined {
  try {
    return Object.fromEntries(Object.entries(parameters).map(([name, text]) => [name, decodeURIComponent(text)]));
  } catch {
    return undefined;
  }
}

/** Reads the whole body; undefined when it is too large. The rest of a body that is too large is read and dropped. */
async function readBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Uint8Array).length;
    if (bytes <= maxBytes) chunks.push(chunk as Uint8Array);
  }
  return bytes <= maxBytes ? Buffer.concat(chunks) : undefined;
}

function describeFailure({ log }: Administration, requestId: string, error: unknown): AdminAnswer {
  if (error instanceof StoreUnavailable)
    return refused('unavailable', `${error.message}. Nothing is known to be done.`);
  log.error({ requestId, fault: (error as Error).stack }, 'administration failed');
  return refused('fault', `An error of the service; its log has more under request ID ${requestId}.`);
}
