/** The grammar of the POS-Signature header and the clock window (interface, section 5), case by case. */
import { expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { BASKET_PATH, bytesOf } from '../support/caller.ts';
import { RawConnection, requestBytes } from '../support/raw-connection.ts';
import { useSharedService } from '../support/shared-service.ts';
import { digestOf, newSecret, signatureOf, unixSeconds } from '../support/signer.ts';
import { freshSecond } from '../support/wait.ts';

const stage = useSharedService();

const ZEROES = '0'.repeat(64);

/** A case makes the header's value from the time and the digest that would be right for it. */
type MakeHeader = (t: number, v1: string, secret: string, body: Buffer) => string | null | string[];

/** Signs a text of `t` that is not the plain one, correctly, so that only the grammar is at fault. */
function withTime(write: (t: number) => string): MakeHeader {
  return (t, _, secret, body) => signatureOf(secret, body, write(t));
}

const accepted: [string, MakeHeader][] = [
  ['t, v1', (t, v1) => `t=${t},v1=${v1}`],
  ['reversed', (t, v1) => `v1=${v1},t=${t}`],
  ['blanks after the comma', (t, v1) => `t=${t}, v1=${v1}`],
  ['blanks all around', (t, v1) => `  t=${t} ,\tv1=${v1}  `],
  ['two v1, the second right', (t, v1) => `t=${t},v1=${ZEROES},v1=${v1}`],
  ['two v1, the first right', (t, v1) => `t=${t},v1=${v1},v1=${ZEROES}`],
  ['two v1, one of them no digest at all', (t, v1) => `t=${t},v1=zz,v1=${v1}`],
  ['upper-case hex', (t, v1) => `t=${t},v1=${v1.toUpperCase()}`],
  ['an unknown key beside', (t, v1) => `t=${t},v0=abc,v1=${v1},v2=`],
];

const refused: [string, MakeHeader][] = [
  ['no header', () => null],
  ['empty', () => ''],
  ['only commas', () => ',,,'],
  ['t only', (t) => `t=${t}`],
  ['v1 only', (_, v1) => `v1=${v1}`],
  ['empty t', (_, v1) => `t=,v1=${v1}`],
  ['empty v1', (t) => `t=${t},v1=`],
  ['the bare digest', (_, v1) => v1],
  ['two t', (t, v1) => `t=${t},t=${t},v1=${v1}`],
  ['two different t', (t, v1) => `t=${t},t=${t + 1},v1=${v1}`],
  ['20 v1, the last right', (t, v1) => `t=${t},${`v1=${ZEROES},`.repeat(19)}v1=${v1}`],
  ['v0 with the right digest', (t, v1) => `t=${t},v0=${v1}`],
  ['upper-case keys', (t, v1) => `T=${t},V1=${v1}`],
  ['63 digits', (t, v1) => `t=${t},v1=${v1.slice(0, 63)}`],
  ['65 digits', (t, v1) => `t=${t},v1=${v1}0`],
  ['64 good digits and rubbish', (t, v1) => `t=${t},v1=${v1}zz`],
  ['62 good digits and rubbish', (t, v1) => `t=${t},v1=${v1.slice(0, 62)}zz`],
  ['a blank inside the digest', (t, v1) => `t=${t},v1=${v1.slice(0, 32)} ${v1.slice(32)}`],
  ['base64', (t, v1) => `t=${t},v1=${Buffer.from(v1, 'hex').toString('base64')}`],
  ['all zero', (t) => `t=${t},v1=${ZEROES}`],
  ['all f', (t) => `t=${t},v1=${'f'.repeat(64)}`],
  ['16 right bytes, then zeroes', (t, v1) => `t=${t},v1=${v1.slice(0, 32)}${'0'.repeat(32)}`],
  ['quoted', (t, v1) => `t="${t}",v1="${v1}"`],
  ['semicolon', (t, v1) => `t=${t};v1=${v1}`],
  ['two header lines', (t, v1) => [`t=${t},v1=${v1}`, `t=${t},v1=${v1}`]],
  ['t with an exponent', withTime((t) => `${t / 1e9}e9`)],
  ['t = 1e9', withTime(() => '1e9')],
  ['t signed +', withTime((t) => `+${t}`)],
  ['t signed -', withTime((t) => `-${t}`)],
  ['t = -1', withTime(() => '-1')],
  ['t in hex', withTime((t) => `0x${t.toString(16)}`)],
  ['t with a leading zero', withTime((t) => `0${t}`)],
  ['t of 20 digits', withTime(() => '99999999999999999999')],
  ['t with a fraction', withTime((t) => `${t}.5`)],
  ['t with a blank inside', withTime((t) => `${t}`.replace(/^(.)/, '$1 '))],
  ['t as a word', withTime(() => 'now')],
];

test.each(accepted)('accepted: %s', async (_, make) => {
  const answer = await send(make);
  expect(answer.status).toBe(200);
});

test.each(refused)('refused: %s', async (_, make) => {
  const answer = await send(make);
  expect([answer.status, answer.code]).toEqual([401, 'invalid_signature']);
});

test.each([
  [300, 200, undefined],
  [301, 401, 'stale_timestamp'],
  [-300, 200, undefined],
  [-301, 401, 'stale_timestamp'],
  [86_400, 401, 'stale_timestamp'],
  [-86_400, 401, 'stale_timestamp'],
])('a time stamp %d s off answers %d %s', async (offset, status, code) => {
  const answer = await stage.caller.basket(basketOf(), { t: (await freshSecond()) + offset });
  expect([answer.status, answer.code]).toEqual([status, code]);
});

test('a time in milliseconds is refused, as a time far ahead or as no time at all', async () => {
  const answer = await send(withTime((t) => `${t}000`));
  expect(answer.status).toBe(401);
});

test('the time is judged before the digest, and a missing digest before the time', async () => {
  const stale = unixSeconds() - 4_000;
  expect((await send(() => `t=${stale},v1=${ZEROES}`)).code).toBe('stale_timestamp');
  expect((await send(() => `t=${stale}`)).code).toBe('invalid_signature');
});

test('full-width digits and other bytes beyond ASCII are refused, not read as digits', async () => {
  const body = bytesOf(basketOf());
  for (const t of ['１７９５０００００', `${unixSeconds()}\u00a0`]) {
    const value = `t=${Buffer.from(t).toString('latin1')},v1=${digestOf(stage.caller.secret, t, body)}`;
    const connection = await RawConnection.open(stage.service.baseUrl);
    connection.write(
      requestBytes(
        `POST ${BASKET_PATH} HTTP/1.1`,
        ['Host: x', `Content-Length: ${body.length}`, `POS-Signature: ${value}`],
        body,
      ),
    );
    const answer = await connection.readAnswer();
    expect([answer?.status, answer?.code]).toEqual([401, 'invalid_signature']);
    connection.close();
  }
});

test('a bearer token means nothing where none is configured', async () => {
  const answer = await send(() => null, { Authorization: `Bearer ${newSecret()}` });
  expect([answer.status, answer.code]).toEqual([401, 'invalid_signature']);
});

function send(make: MakeHeader, headers: Record<string, string> = {}) {
  const { secret } = stage.caller;
  const body = basketOf();
  const bytes = bytesOf(body);
  const t = unixSeconds();
  const value = make(t, digestOf(secret, t, bytes), secret, bytes);
  return stage.caller.send(BASKET_PATH, bytes, { headers: { 'POS-Signature': value, ...headers } });
}
