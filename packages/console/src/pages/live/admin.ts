import { byId, onSubmit, saveFile, textIn } from './dom.ts';
import { detailsOf } from './wording.ts';

/** Calls of `/admin/*` and their token, which is asked for once and kept until the tab is closed. */

const STORED_AS = 'loyalty-ops-token';

/** A value of an answer, as the schema of its route describes it (`/openapi-admin.json`). */
// biome-ignore lint/suspicious/noExplicitAny: the service answers what its document says, and the page only shows it.
export type Json = any;

type AdminAnswer = { status: number; json: Json };

/**
 * Sends one call with the token; `body` is JSON text. With `keepsToken` a token whose role is not enough is kept, because the
 * rest of the page works with it. Resolves with undefined where a token is needed first, which is being asked for.
 */
export async function callAdmin(
  method: string,
  path: string,
  body?: string,
  { keepsToken = false, ifMatch }: { keepsToken?: boolean; ifMatch?: string } = {},
): Promise<AdminAnswer | undefined> {
  const answer = await send(method, path, body, { ...(ifMatch !== undefined && { 'if-match': ifMatch }) });
  if (!answer) return undefined;
  const json = await answer.json();
  if (answer.status !== 401 && (answer.status !== 403 || keepsToken)) return { status: answer.status, json };
  sessionStorage.removeItem(STORED_AS);
  askForToken(answer.status === 401 ? 'The service does not accept this token.' : describeFault(json));
  return undefined;
}

/**
 * Sends one call with the token, and tells in a sentence what is answered other than 200. Resolves with the value of the
 * answer, and with undefined where there is none.
 */
export async function askAdmin(
  method: string,
  path: string,
  tell: (text: string) => void,
  { body, ...options }: { body?: object; keepsToken?: boolean; ifMatch?: string } = {},
): Promise<Json> {
  const answer = await callAdmin(method, path, body && JSON.stringify(body), options);
  if (answer?.status === 200) return answer.json;
  tell(answer ? describeFault(answer.json) : '');
  return undefined;
}

/** Saves the answer of one call, of the type `accept`, as a file. Resolves with a sentence when there is no file. */
export async function downloadAdmin(path: string, accept: string, name: string): Promise<string | undefined> {
  const answer = await send('GET', path, undefined, { accept });
  if (!answer) return undefined;
  if (!answer.ok) return describeFault(await answer.json());
  saveFile(await answer.blob(), name);
  return undefined;
}

/** Resolves with undefined where a token is needed first, which is being asked for. */
async function send(
  method: string,
  path: string,
  body: string | undefined,
  more: Record<string, string>,
): Promise<Response | undefined> {
  const token = sessionStorage.getItem(STORED_AS);
  if (token === null) {
    askForToken('');
    return undefined;
  }
  const headers = {
    authorization: `Bearer ${token}`,
    ...more,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  return fetch(path, { method, headers, ...(body !== undefined && { body }) });
}

/** Describes an answer other than 200. The sentence says all, except where a basket is refused with details. */
export function describeFault({ error: { code, message, details } }: Json): string {
  return details ? `${code}: ${message}${detailsOf({ message, ...details })}` : message;
}

/** The form for the token. */
const form = byId('token-form');

/** Stores the token from the form, and calls `onToken`. */
export function takeToken(onToken: () => void) {
  onSubmit('token-form', () => {
    const input = byId('token') as HTMLInputElement;
    const token = input.value.trim();
    // A header can contain visible ASCII only; any other text would make the call fail.
    if (!/^[\x21-\x7e]+$/.test(token))
      return askForToken('A token has only letters, digits and signs, without blanks.');
    sessionStorage.setItem(STORED_AS, token);
    input.value = '';
    form.hidden = true;
    onToken();
  });
}

/** Shows the form in a section that needs the token, and hides it elsewhere. */
export function showTokenForm(isNeeded: boolean) {
  form.hidden = !isNeeded || sessionStorage.getItem(STORED_AS) !== null;
}

function askForToken(fault: string) {
  form.hidden = false;
  textIn('token-fault')(fault);
  if (fault !== '') byId('token').focus();
}
