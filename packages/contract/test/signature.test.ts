/** The signature's three steps (interface, section 5), as functions; over a socket they are tested in test/e2e. */
import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { MAX_BODY_BYTES, MAX_SIGNATURE_HEADER_CHARACTERS } from '../src/limits.ts';
import { isWithinClockWindow, parseSignatureHeader, signatureHeader, verifySignature } from '../src/signature.ts';
import { trimBlanks } from '../src/trim-blanks.ts';

const SECRET = randomBytes(32);
const OTHER = randomBytes(32);
const BODY = Buffer.from('{"a":1}');
const NOW = 1_790_000_000;

test('the signer builds what the interface says', () => {
  const digest = createHmac('sha256', SECRET).update(`${NOW}.{"a":1}`).digest('hex');
  expect(signatureHeader(SECRET, NOW, BODY)).toBe(`t=${NOW},v1=${digest}`);
});

test('a signature verifies with any active secret, and with none of others', () => {
  const header = signatureHeader(SECRET, NOW, BODY);
  expect(verifySignature(header, BODY, [SECRET], NOW)).toBe('verified');
  expect(verifySignature(header, BODY, [OTHER, SECRET], NOW)).toBe('verified');
  expect(verifySignature(header, BODY, [OTHER], NOW)).toBe('invalid_signature');
  expect(verifySignature(header, BODY, [], NOW)).toBe('invalid_signature');
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

test.each([1, 31, 32, 63, 64, 65, 200])(
  'a secret of %i bytes verifies what Node signs, for bodies of every size',
  (secretBytes) => {
    const secret = randomBytes(secretBytes);
    const sizes = [0, 1, 8000, 40_000, MAX_BODY_BYTES, MAX_BODY_BYTES + 1];
    for (const size of sizes) {
      const body = randomBytes(size);
      const digest = createHmac('sha256', secret).update(`${NOW}.`).update(body).digest('hex');
      const header = `t=${NOW},v1=${digest}`;
      expect(verifySignature(header, body, [OTHER, secret, OTHER], NOW)).toBe('verified');
      expect(verifySignature(header, body, [OTHER], NOW)).toBe('invalid_signature');
      expect(verifySignature(header, Buffer.concat([body, Buffer.of(0)]), [secret], NOW)).toBe('invalid_signature');
    }
  },
);

test('a header that is longer than it may be is refused unread, and blanks cost no more than their number', () => {
  const right = signatureHeader(SECRET, NOW, BODY);
  const verify = (header: string) => verifySignature(header, BODY, [SECRET], NOW);
  expect(verify(`${right},x=${'y'.repeat(MAX_SIGNATURE_HEADER_CHARACTERS - right.length - 3)}`)).toBe('verified');
  expect(verify(`${right},x=${'y'.repeat(MAX_SIGNATURE_HEADER_CHARACTERS - right.length - 2)}`)).toBe(
    'invalid_signature',
  );
  const cpuOf = (blanks: number): number => {
    const text = `a${' '.repeat(blanks)}b`;
    const before = process.cpuUsage();
    for (let count = 0; count < 50; count += 1) trimBlanks(text);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  cpuOf(10_000);
  // Ten times as many blanks: a quadratic expression takes a hundred times as long.
  expect(cpuOf(100_000)).toBeLessThan(30 * Math.max(100, cpuOf(10_000)));
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

test('the clock window is ±300 seconds, its bounds included, and is judged before the digest', () => {
  expect([-301, -300, 300, 301].map((skew) => isWithinClockWindow(String(NOW + skew), NOW))).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(verifySignature(`t=${NOW - 301},v1=${'0'.repeat(64)}`, BODY, [SECRET], NOW)).toBe('stale_timestamp');
});

const GOOD = 'a'.repeat(64);
test.each([
  ['reversed items', `v1=${GOOD},t=1`, 1],
  ['blanks around items', `t=1 , \tv1=${GOOD}`, 1],
  ['unknown keys', `t=1,v0=zz,x,v1=${GOOD}`, 1],
  ['upper-case digits', `t=1,v1=${'A'.repeat(64)}`, 1],
  ['two signatures', `t=1,v1=${GOOD},v1=${GOOD}`, 2],
  ['one signature of a wrong length beside a good one', `t=1,v1=ab,v1=${GOOD}`, 1],
  ['eight signatures', `t=1${`,v1=${GOOD}`.repeat(8)}`, 8],
])('parses %s', (_name, header, digests) => {
  expect(parseSignatureHeader(header)?.digests).toHaveLength(digests);
});

test.each([
  ['nothing', ''],
  ['no v1', 't=1'],
  ['no t', `v1=${GOOD}`],
  ['two t', `t=1,t=1,v1=${GOOD}`],
  ['an exponent', `t=1e9,v1=${GOOD}`],
  ['a sign', `t=+1,v1=${GOOD}`],
  ['hexadecimal', `t=0x5f,v1=${GOOD}`],
  ['a leading zero', `t=01,v1=${GOOD}`],
  ['a fraction', `t=12.5,v1=${GOOD}`],
  ['a blank inside', `t= 1,v1=${GOOD}`],
  ['no digits', `t=,v1=${GOOD}`],
  ['full-width digits', `t=１２,v1=${GOOD}`],
  ['sixteen digits', `t=1234567890123456,v1=${GOOD}`],
  ['63 digits', `t=1,v1=${'a'.repeat(63)}`],
  ['a letter behind the time', `t=1x,v1=${GOOD}`],
  ['64 letters that are no digits', `t=1,v1=${'z'.repeat(64)}`],
  ['a signature of another scheme alone', `t=1,v0=${GOOD}`],
  ['65 digits', `t=1,v1=${'a'.repeat(65)}`],
  ['rubbish behind 64 good digits', `t=1,v1=${GOOD}zz`],
  ['nine signatures', `t=1${`,v1=${GOOD}`.repeat(9)}`],
])('refuses %s', (_name, header) => {
  expect(parseSignatureHeader(header)).toBeUndefined();
});
