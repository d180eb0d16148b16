/** An operator with a token, as a test plays it. */
import { until } from '../support/wait.ts';

export const OPS_TOKEN = 'an-operator-of-the-tests';

/** An answer's JSON, whose `error` is the one shape of all errors. */
export interface AnyBody extends Record<string, unknown> {
  readonly error: { readonly code: string; readonly message: string; readonly requestId: string };
}

export interface AdminReply<T> {
  readonly status: number;
  readonly body: T;
  readonly headers: Headers;
}

export interface AskOptions {
  readonly body?: unknown;
  readonly token?: string | null;
  readonly requestId?: string;
  readonly ifMatch?: string | null;
}

/** Sends one call to the operations port; a body that is no text is sent as JSON. `token` null: without one. */
export async function ask<T = AnyBody>(opsUrl: string, call: string, options: AskOptions = {}): Promise<AdminReply<T>> {
  const [method = 'GET', path = '/'] = call.split(' ');
  const { body, token = OPS_TOKEN, requestId, ifMatch } = options;
  const answer = await fetch(`${opsUrl}${path}`, {
    method,
    headers: {
      ...(token !== null && { Authorization: `Bearer ${token}` }),
      ...(requestId !== undefined && { 'X-Request-Id': requestId }),
      ...(typeof ifMatch === 'string' && { 'If-Match': ifMatch }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as T, headers: answer.headers };
}

/** The same, sent again while it is refused because Redis was silent for a moment, as it is on a machine that stands still. */
export function askPatiently<T = AnyBody>(
  opsUrl: string,
  call: string,
  options: AskOptions = {},
  onRefusal: () => void = () => {},
): Promise<AdminReply<T>> {
  let hasRefused = false;
  return until(`Redis to answer ${call}`, async () => {
    const reply = await ask<T>(opsUrl, call, options);
    const { error } = reply.body as Partial<AnyBody>;
    if (reply.status !== 503 || !error?.message.startsWith('Redis: ')) return reply;
    if (!hasRefused) onRefusal();
    hasRefused = true;
    return undefined;
  });
}

/** The path of a member of the coffee club. */
export function memberPath(loyaltyId: string, programmeId = 'coffee-club'): string {
  return `/admin/programmes/${programmeId}/members/${encodeURIComponent(loyaltyId)}`;
}
