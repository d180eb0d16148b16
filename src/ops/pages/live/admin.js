import { byId, onSubmit, textIn } from './dom.js';
import { saveFile } from './save-file.js';

/** Calls of `/admin/*` and their token, which is asked for once and kept until the tab is closed. */

const STORED_AS = 'loyalty-ops-token';

/** @typedef {{ status: number, json: any }} AdminAnswer */

/**
 * Sends one call with the token.
 * @param {string} method
 * @param {string} path
 * @param {string} [body] JSON text
 * @param {{ keepsToken?: boolean, ifMatch?: string }} [options] `keepsToken`: a token whose role is not enough is kept, because the rest of the page works with it
 * @returns {Promise<AdminAnswer | undefined>} undefined: a token is needed first, and is being asked for
 */
export async function callAdmin(method, path, body, { keepsToken = false, ifMatch } = {}) {
  const answer = await send(method, path, body, { ...(ifMatch !== undefined && { 'if-match': ifMatch }) });
  if (!answer) return undefined;
  const json = await answer.json();
  if (answer.status !== 401 && (answer.status !== 403 || keepsToken)) return { status: answer.status, json };
  sessionStorage.removeItem(STORED_AS);
  askForToken(answer.status === 401 ? 'The service does not accept this token.' : describeFault(json));
  return undefined;
}

/**
 * Sends one call with the token, and tells in a sentence what is answered other than 200.
 * @param {string} method
 * @param {string} path
 * @param {(text: string) => void} tell
 * @param {{ body?: object, keepsToken?: boolean, ifMatch?: string }} [options]
 * @returns {Promise<any>} the value of the answer; undefined where there is none
 */
export async function askAdmin(method, path, tell, { body, ...options } = {}) {
  const answer = await callAdmin(method, path, body && JSON.stringify(body), options);
  if (answer?.status === 200) return answer.json;
  tell(answer ? describeFault(answer.json) : '');
  return undefined;
}

/**
 * Saves the answer of one call as a file.
 * @param {string} path
 * @param {string} accept the type of the answer
 * @param {string} name of the file
 * @returns {Promise<string | undefined>} a sentence when there is no file
 */
export async function downloadAdmin(path, accept, name) {
  const answer = await send('GET', path, undefined, { accept });
  if (!answer) return undefined;
  if (!answer.ok) return describeFault(await answer.json());
  saveFile(await answer.blob(), name);
  return undefined;
}

/**
 * @param {string} method
 * @param {string} path
 * @param {string | undefined} body
 * @param {Record<string, string>} more headers
 * @returns {Promise<Response | undefined>} undefined: a token is needed first, and is being asked for
 */
async function send(method, path, body, more) {
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

/**
 * Describes an answer other than 200. The sentence says all, except where a basket is refused with details.
 * @param {any} json
 * @returns {string}
 */
export function describeFault({ error }) {
  const { code, message, details } = error;
  if (!details) return message;
  const { field, expected, received } = details;
  const where = field === undefined || message.startsWith(field) ? '' : ` ${field || 'The body'}:`;
  const wanted =
    expected === undefined || where === '' ? '' : ` expected ${expected}, found ${received ?? 'something else'}.`;
  return `${code}: ${message}${where}${wanted}`;
}

/** The form for the token. */
const form = byId('token-form');

/**
 * Stores the token from the form, and calls `onToken`.
 * @param {() => void} onToken
 */
export function takeToken(onToken) {
  onSubmit('token-form', () => {
    const input = /** @type {HTMLInputElement} */ (byId('token'));
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

/**
 * Shows the form in a section that needs the token, and hides it elsewhere.
 * @param {boolean} isNeeded
 */
export function showTokenForm(isNeeded) {
  form.hidden = !isNeeded || sessionStorage.getItem(STORED_AS) !== null;
}

/** @param {string} fault */
function askForToken(fault) {
  form.hidden = false;
  textIn('token-fault')(fault);
  if (fault !== '') byId('token').focus();
}
