import { CLOCK_WINDOW_SECONDS, MAX_SIGNATURES_PER_HEADER } from '@loyalty/contract/limits';
import { type SignatureOutcome, signPayload } from '@loyalty/contract/signature';
import { VECTOR_OTHER_SECRET, VECTOR_SECRET } from './identifiers.ts';

/** Signature vectors (interface, section 5): what to sign, and what to accept and refuse. */

const NOW_SECONDS = 1_795_000_000;
const BODY = '{"calculationId":"00000001-0000-4000-8000-000000000001","status":"cancelled"}';
const bytes = Buffer.from(BODY);

const BODIES: Readonly<Record<string, Buffer>> = {
  'a small body': bytes,
  'an empty body': Buffer.alloc(0),
  'letters beyond ASCII': Buffer.from('{"name":"Blåbær, 抹茶 🎁"}'),
  'the same letters escaped: other bytes, another signature': Buffer.from(
    '{"name":"Bl\\u00e5b\\u00e6r, \\u62b9\\u8336 🎁"}',
  ),
  'blanks and line breaks as they are sent': Buffer.from('\r\n{ "a" : 1 }\n\t'),
  'bytes that are no text': Buffer.from([0, 255, 254, 128, 10]),
  'a body longer than any block of the hash': Buffer.alloc(2000, 'x'),
};

/** Bodies up to this length are repeated as text. */
const MAX_READABLE_BYTES = 200;

/** `header` is the signer's right result. `bodyBase64` is the body; `body` repeats it where it is readable. */
export function signingVectors() {
  return Object.entries(BODIES).map(([name, body], index) => {
    const secret = index % 2 === 0 ? VECTOR_SECRET : VECTOR_OTHER_SECRET;
    const t = NOW_SECONDS + index;
    const isReadable = body.length <= MAX_READABLE_BYTES && Buffer.from(body.toString('utf8')).equals(body);
    return {
      name,
      secretHex: secret.toString('hex'),
      secretBase64: secret.toString('base64'),
      t,
      ...(isReadable && { body: body.toString('utf8') }),
      bodyBase64: body.toString('base64'),
      header: `t=${t},v1=${digest(t, body, secret)}`,
    };
  });
}

function digest(t: number | string, body: Buffer = bytes, secret: Uint8Array = VECTOR_SECRET): string {
  return signPayload(secret, String(t), body).toString('hex');
}

/** `nowSeconds` is the verifier's clock. */
export function verifyingVectors() {
  const t = NOW_SECONDS;
  const right = digest(t);
  const foreign = digest(t, bytes, VECTOR_OTHER_SECRET);
  const zeros = '0'.repeat(64);
  const at = (offset: number): string => `t=${t + offset},v1=${digest(t + offset)}`;
  const verified: Readonly<Record<string, string>> = {
    right: `t=${t},v1=${right}`,
    'digest in capitals': `t=${t},v1=${right.toUpperCase()}`,
    'v1 before t': `v1=${right},t=${t}`,
    'blanks around the items': `t=${t} , v1=${right}`,
    'unknown items': `t=${t},v1=${right},v2=x,foo`,
    'the second of two v1': `t=${t},v1=${zeros},v1=${right}`,
    'a v1 that is no digest beside the right one': `t=${t},v1=abc,v1=${right}`,
    'exactly 300 s old': at(-CLOCK_WINDOW_SECONDS),
    'exactly 300 s ahead': at(CLOCK_WINDOW_SECONDS),
  };
  const stale: Readonly<Record<string, string>> = {
    '301 s old': at(-CLOCK_WINDOW_SECONDS - 1),
    '301 s ahead': at(CLOCK_WINDOW_SECONDS + 1),
    'milliseconds instead of seconds': `t=${t}000,v1=${digest(`${t}000`)}`,
    'stale and wrong: the time is judged first': `t=${t - 1000},v1=${zeros}`,
  };
  const invalid: Readonly<Record<string, string>> = {
    'an empty header': '',
    'no t': `v1=${right}`,
    'no v1': `t=${t}`,
    'two t': `t=${t},t=${t},v1=${right}`,
    't with a sign': `t=+${t},v1=${digest(`+${t}`)}`,
    't with a leading zero': `t=0${t},v1=${digest(`0${t}`)}`,
    't with a fraction': `t=${t}.0,v1=${digest(`${t}.0`)}`,
    'half a digest': `t=${t},v1=${right.slice(0, 32)}`,
    'a digest and something after it': `t=${t},v1=${right}00`,
    'the digest in base64': `t=${t},v1=${Buffer.from(right, 'hex').toString('base64')}`,
    'another time than was signed': `t=${t + 1},v1=${right}`,
    'the body without the time signed': `t=${t},v1=${signPayload(VECTOR_SECRET, '', bytes).toString('hex')}`,
    'another body signed': `t=${t},v1=${digest(t, Buffer.from(`${BODY} `))}`,
    'another secret': `t=${t},v1=${foreign}`,
    'the hex text of the secret used as key': `t=${t},v1=${digest(t, bytes, Buffer.from(VECTOR_SECRET.toString('hex')))}`,
    'more signatures than a rotation needs': `t=${t},${`v1=${zeros},`.repeat(MAX_SIGNATURES_PER_HEADER)}v1=${right}`,
  };
  const one = [VECTOR_SECRET.toString('hex')];
  const both = [VECTOR_OTHER_SECRET.toString('hex'), ...one];
  return [
    ...toVectors(verified, one, 'verified'),
    ...toVectors({ 'signed with the second of two active secrets': `t=${t},v1=${right}` }, both, 'verified'),
    ...toVectors({ 'signed with the first of two active secrets': `t=${t},v1=${foreign}` }, both, 'verified'),
    ...toVectors(stale, one, 'stale_timestamp'),
    ...toVectors(invalid, one, 'invalid_signature'),
  ];
}

function toVectors(
  headers: Readonly<Record<string, string>>,
  secretsHex: readonly string[],
  outcome: SignatureOutcome,
) {
  const bodyBase64 = bytes.toString('base64');
  return Object.entries(headers).map(([name, header]) => {
    return { name, secretsHex, nowSeconds: NOW_SECONDS, header, bodyBase64, outcome };
  });
}
