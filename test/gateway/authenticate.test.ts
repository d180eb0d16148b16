/** Who is known: by a signature, or by a bearer token where the service has one. */

import { signatureHeader } from '@loyalty/contract/signature';
import { expect, test } from 'vitest';
import { authenticate } from '../../src/gateway/authenticate.ts';
import type { RequestHead } from '../../src/gateway/request-head.ts';

const NOW = 1_790_000_000;
const [SECRET, OLD, OTHER] = ['a'.repeat(32), 'b'.repeat(32), 'c'.repeat(32)].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
];
const BODY = Buffer.from('{"a":1}');
const signed = (secret: Buffer, atSeconds = NOW) => signatureHeader(secret, atSeconds, BODY);

const outcomeOf = (head: Partial<RequestHead>, bearerTokens: readonly string[] = []) => {
  const whole = { duplicated: new Set<string>(), ...head } as RequestHead;
  const refusal = authenticate(whole, BODY, { secrets: [SECRET, OLD], bearerTokens }, NOW);
  return refusal && { code: refusal.code, status: refusal.status, details: refusal.details };
};
const refused = (code: string, details: object = {}) => ({
  ...{ code, status: 401 },
  details: { field: 'POS-Signature', ...details },
});

test('a signature by any of the secrets is known, until its time is over', () => {
  expect([signed(SECRET), signed(OLD), signed(SECRET, NOW - 300)].map((signature) => outcomeOf({ signature }))).toEqual(
    [undefined, undefined, undefined],
  );
  expect(outcomeOf({ signature: signed(OTHER) })).toEqual(refused('invalid_signature'));
  expect(outcomeOf({ signature: signed(SECRET, NOW - 301) })).toEqual(refused('stale_timestamp'));
});

test('of two signatures none counts, although the first is right', () => {
  const duplicated = new Set(['pos-signature']);
  expect(outcomeOf({ signature: signed(SECRET), duplicated })).toEqual(
    refused('invalid_signature', { expected: 'one header', received: 'several' }),
  );
});

test('without a signature a bearer token is known, if the service has it and it stands in one header', () => {
  const nothing = refused('invalid_signature', { expected: 't=<unix seconds>,v1=<hex>', received: 'nothing' });
  const authorization = 'Bearer token-of-the-till';
  expect(outcomeOf({})).toEqual(nothing);
  expect(outcomeOf({ authorization })).toEqual(nothing);
  expect(outcomeOf({ authorization }, ['another'])).toEqual(nothing);
  expect(outcomeOf({}, ['token-of-the-till'])).toEqual(nothing);
  expect(outcomeOf({ authorization }, ['another', 'token-of-the-till'])).toBeUndefined();
  const duplicated = new Set(['authorization']);
  expect(outcomeOf({ authorization, duplicated }, ['token-of-the-till'])).toEqual(nothing);
});

test('a token does not make up for a wrong signature', () => {
  const head = { signature: signed(OTHER), authorization: 'Bearer token-of-the-till' };
  expect(outcomeOf(head, ['token-of-the-till'])).toEqual(refused('invalid_signature'));
});
