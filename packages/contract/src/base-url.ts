/** What follows a base URL, so it is not a part of it. */
const ENDPOINT = /\/v1\/pos(?:\/|$)/;

/**
 * Says why a text is not the base URL of a deployment; undefined when it is one. It never quotes the text, which may have a
 * password. A path stands before that of every endpoint; a query or a password would be lost.
 */
export function baseUrlFlaw(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return 'is not an http(s) address';
  if (url.username !== '' || url.password !== '') return 'has a user name or a password, which no call would send';
  if (url.search !== '' || url.hash !== '') return 'has a query or a fragment, which no call would send';
  return ENDPOINT.test(url.pathname) ? 'has the path of an endpoint, /v1/pos/…, which is added to it' : undefined;
}
