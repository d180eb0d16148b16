/**
 * The signer, and what the vectors do not hold of the verifier (packages/conformance/src/vectors/signature.ts): every bit, the
 * length of a header, and digits that are none. Over a socket signatures are tested in test/e2e.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { MAX_SIGNATURE_HEADER_CHARACTERS } from '../src/limits.ts';
import { parseSignatureHeader, signatureHeader, verifySignature } from '../src/signature.ts';
import { trimBlanks } from '../src/trim-blanks.ts';

const SECRET = randomBytes(32);
const BODY = Buffer.from('{"a":1}');
const NOW = 1_790_000_000;

test('the signer builds what the interface says', () => {
  const digest = createHmac('sha256', SECRET).update(`${NOW}.{"a":1}`).digest('hex');
  expect(signatureHeader(SECRET, NOW, BODY)).toBe(`t=${NOW},v1=${digest}`);
});

test('every changed bit of the digest, the time or the body is seen', () => {
  const header = signatureHeader(SECRET, NOW, BODY);
  const digest = Buffer.from(header.slice(-64), 'hex');
  for (let bit = 0; bit < 256; bit += 1) {
    const flipped = Buffer.from(digest);
    flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
    expect(verifySignature(`t=${NOW},v1=${flipped.toString('hex')}`, BODY, [SECRET], NOW)).toBe('invalid_signature');
  }
  expect(verifySignature(header.replace(`t=${NOW}`, `t=${NOW + 1}`), BODY, [SECRET], NOW)).toBe('invalid_signature');
  expect(verifySignature(header, Buffer.from('{"a":2}'), [SECRET], NOW)).toBe('invalid_signature');
});

test('a header that is longer than it may be is refused unread', () => {
  const right = signatureHeader(SECRET, NOW, BODY);
  const verify = (header: string) => verifySignature(header, BODY, [SECRET], NOW);
  const filled = (characters: number) => `${right},x=${'y'.repeat(characters - right.length - 3)}`;
  expect(verify(filled(MAX_SIGNATURE_HEADER_CHARACTERS))).toBe('verified');
  expect(verify(filled(MAX_SIGNATURE_HEADER_CHARACTERS + 1))).toBe('invalid_signature');
});

test.each([
  ['between two letters', `a${' '.repeat(1_000)}b`, 2],
  ['around one', `${' '.repeat(500)}a${'\t'.repeat(500)}`, 1_002],
])('blanks %s are looked at once: a stranger sends as many as a header holds', (_where, text, looks) => {
  const looked: number[] = [];
  const counted = Object.assign(Object(text) as string, {
    charCodeAt: (at: number) => text.charCodeAt(looked.push(at) && at),
  });
  expect(trimBlanks(counted)).toBe(text.trim());
  expect(looked).toHaveLength(looks);
});

test.each([
  ['', ''],
  [' \t', ''],
  ['a', 'a'],
  [' \ta b\t ', 'a b'],
  ['\u00a0a', '\u00a0a'],
])('blanks and tabs are trimmed, and nothing else: %j', (text, trimmed) => {
  expect(trimBlanks(text)).toBe(trimmed);
});

const GOOD = 'a'.repeat(64);
test.each([
  ['blanks and tabs around items', `t=1 , \tv1=${GOOD}`, 1],
  ['one signature of a wrong length beside a good one', `t=1,v1=ab,v1=${GOOD}`, 1],
  ['eight signatures', `t=1${`,v1=${GOOD}`.repeat(8)}`, 8],
])('parses %s', (_name, header, digests) => {
  expect(parseSignatureHeader(header)?.digests).toHaveLength(digests);
});

test.each([
  ['an exponent', `t=1e9,v1=${GOOD}`],
  ['hexadecimal', `t=0x5f,v1=${GOOD}`],
  ['a blank inside', `t= 1,v1=${GOOD}`],
  ['no digits', `t=,v1=${GOOD}`],
  ['full-width digits', `t=１２,v1=${GOOD}`],
  ['sixteen digits', `t=1234567890123456,v1=${GOOD}`],
  ['64 letters that are no digits', `t=1,v1=${'z'.repeat(64)}`],
  ['a signature of another scheme alone', `t=1,v0=${GOOD}`],
])('refuses %s', (_name, header) => {
  expect(parseSignatureHeader(header)).toBeUndefined();
});
