/** Service, client and kit read a secret alike: whoever can sign for one of them can for all. */
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readSecrets } from '../../../src/settings/secrets.ts';
import { readOptions as readClientOptions } from '../../client/src/options.ts';
import { readOptions as readKitOptions } from '../../conformance/src/kit/options.ts';
import { decodeSecret, isEncodedTwice } from '../src/secret.ts';

const BYTES = randomBytes(48);
const HEX = BYTES.toString('hex');
const KIT = ['--base-url', 'http://a', '--venue', 'v', '--bax', 'b'];

/** Each takes the text as it is handed over, and throws when it refuses it. */
const READERS: Record<string, (text: string) => Uint8Array> = {
  service: (text) => readSecrets(text)[0]!,
  client: (secret) => readClientOptions({ baseUrl: 'http://a', secret, outbox: 'outbox.log' }).secret,
  kit: (text) => readKitOptions([...KIT, `--secret=${text}`]).secret,
};

describe.each(Object.entries(READERS))('the %s', (_name, read) => {
  test.each([
    ['hex', HEX],
    ['hex in capitals', HEX.toUpperCase()],
    ['base64', BYTES.toString('base64')],
    ['base64 without padding', BYTES.toString('base64').replace(/=+$/, '')],
    ['base64url', BYTES.toString('base64url')],
    ['hex between blanks', ` ${HEX}\n`],
  ])('reads %s', (_form, text) => {
    expect(Buffer.from(read(text)).equals(BYTES)).toBe(true);
  });

  test.each([
    ['too few bytes', HEX.slice(0, 62)],
    ['a foreign character', `${HEX.slice(0, -1)}!`],
    ['a blank within', `${HEX.slice(0, 32)} ${HEX.slice(32)}`],
    ['three signs of padding', `${BYTES.toString('base64')}===`],
    ['padding within', `${'A'.repeat(42)}=${'A'.repeat(22)}`],
    ['hex that lost a digit', HEX.slice(1)],
    ['hex that gained a digit', `${HEX}0`],
    ['hex with its prefix', `0x${HEX}`],
    ['a secret with the prefix of webhooks', `whsec_${BYTES.toString('base64')}`],
    ['padded base64 that lost a character', randomBytes(32).toString('base64').slice(1)],
    ['padded base64 that gained one', `A${randomBytes(32).toString('base64')}`],
    ['base64 without padding that gained one', `${BYTES.toString('base64')}A`],
  ])('refuses %s, and does not quote it', (_form, text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ message: expect.not.stringContaining(text) }));
  });
});

test('an odd number of hex digits is no secret, although base64 has the same signs', () => {
  expect([decodeSecret('abc'), decodeSecret('ABCDE'), decodeSecret('')]).toEqual([undefined, undefined, undefined]);
  expect(decodeSecret('abcg')).toEqual(Buffer.from('abcg', 'base64'));
});

test.each([
  ['a'.repeat(63), 'has 63 hex digits, an odd number'],
  [`0x${HEX}`, 'begins with 0x, which is no part of it'],
  [`whsec_${HEX}`, 'begins with whsec_, which is no part of it'],
  ['not a secret', 'is neither hex nor base64'],
  [`${BYTES.toString('base64')}A`, 'is neither hex nor base64'],
])('what is wrong with %j is said', (text, words) => {
  expect(() => readSecrets(`${HEX},${text}`, 'FILE')).toThrow(`FILE: secret 2 ${words}; separate secrets by commas`);
  expect(() => readKitOptions([...KIT, `--secret=${text}`])).toThrow(`--secret ${words}`);
});

test('a secret that was encoded twice is found, and no other', () => {
  const twice = (text: string) => Buffer.from(Buffer.from(text).toString('base64'), 'base64');
  const secrets = [BYTES, twice(HEX), twice(`${HEX}\n`), twice(HEX.toUpperCase()), twice(BYTES.toString('base64'))];
  expect(secrets.map(isEncodedTwice)).toEqual([false, true, true, true, true]);
  // A password of letters and digits has no 32 bytes in it, and an odd number of hex digits is no secret.
  expect([twice('correcthorsebatterystaplecorrect'), twice(HEX.slice(1))].map(isEncodedTwice)).toEqual([false, false]);
});
