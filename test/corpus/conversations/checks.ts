import { randomBytes } from 'node:crypto';
import { BASKET_PATH, bytesOf, SALE_PATH } from '../../support/caller.ts';
import { RawConnection, requestBytes } from '../../support/raw-connection.ts';
import { digestOf, unixSeconds } from '../../support/signer.ts';
import type { BasketBody } from '../../support/wire.ts';
import { BERGEN, OSLO } from '../configuration.ts';
import type { SendOptions, Talk, Theme } from '../talk.ts';

const OTHER_KEY = '00000000-0000-4000-8000-000000000000';
const wrongSecret = randomBytes(32).toString('hex');

interface Draft {
  readonly basket: BasketBody;
  readonly options: SendOptions & { headers: Record<string, string | null> };
  bytes?: Buffer;
}

/** What can be wrong with a call, from the last check to the first. */
const FAULTS: Record<string, (draft: Draft, used: BasketBody) => void> = {
  'the sum': ({ basket }) => {
    basket.totals.total += 1;
  },
  'the currency': ({ basket }) => {
    basket.currency = 'XXX';
  },
  'the venue': ({ basket }) => {
    basket.context = { ...OSLO, venueId: 'nowhere' };
  },
  'another key than in the body': ({ options }) => {
    options.headers['Idempotency-Key'] = OTHER_KEY;
  },
  'a flag': ({ basket }) => {
    Object.assign(basket.lines[0]!, { noDiscount: null });
  },
  '201 lines': ({ basket }) => {
    basket.lines = new Array(201).fill(basket.lines[0]);
  },
  'a used key': ({ basket, options }, used) => {
    basket.calculationId = used.calculationId;
    options.headers['Idempotency-Key'] = used.calculationId;
  },
  'the type of the content': ({ options }) => {
    options.headers['Content-Type'] = 'text/plain';
  },
  'no key': ({ options }) => {
    options.headers['Idempotency-Key'] = null;
  },
  'the secret': (draft) => {
    Object.assign(draft.options, { secret: wrongSecret });
  },
  'the time of the signature': (draft) => {
    Object.assign(draft.options, { t: 1 });
  },
  'no signature': ({ options }) => {
    options.headers['POS-Signature'] = null;
  },
  'the size': (draft) => {
    draft.bytes = Buffer.alloc(262_145, ' ');
  },
  'the method': (draft) => {
    Object.assign(draft.options, { method: 'PUT' });
  },
  'the route': (draft) => {
    Object.assign(draft.options, { path: '/v1/pos/nothing' });
  },
};

/** A right basket with these faults, sent. */
async function sendWrong(talk: Talk, label: string, used: BasketBody, faults: readonly string[]): Promise<void> {
  const basket = talk.basket(label, 'anna');
  const draft: Draft = { basket, options: { headers: { 'Idempotency-Key': basket.calculationId } } };
  for (const fault of faults) FAULTS[fault]!(draft, used);
  talk.note(`- ${faults.join(', ')}`);
  await talk.send(draft.bytes ?? draft.basket, draft.options);
}

async function ringUsed(talk: Talk): Promise<BasketBody> {
  await talk.member('anna', ['once']);
  const used = talk.basket('used', 'anna');
  await talk.send(used);
  return used;
}

/** Headers of a signature over these bytes, by the words of `parts`. */
function signatures(talk: Talk, bytes: Buffer): Record<string, string> {
  const { secrets } = talk.stage.service;
  const t = unixSeconds();
  const [right, wrong] = [digestOf(secrets[0]!, t, bytes), digestOf(wrongSecret, t, bytes)];
  return {
    'without v1': `t=${t}`,
    'without t': `v1=${right}`,
    'two t': `t=${t},t=${t},v1=${right}`,
    'a signed t': `t=+${t},v1=${digestOf(secrets[0]!, `+${t}`, bytes)}`,
    'a fraction': `t=${t}.0,v1=${right}`,
    milliseconds: `t=${t}000,v1=${digestOf(secrets[0]!, `${t}000`, bytes)}`,
    capitals: `t=${t},v1=${right.toUpperCase()}`,
    'too short': `t=${t},v1=${right.slice(0, 62)}`,
    'not hexadecimal': `t=${t},v1=${right.slice(0, 62)}zz`,
    'the second one fits': `t=${t},v1=${wrong},v1=${right}`,
    'unknown parts': `v0=1,t=${t},v1=${right},x=y`,
    blanks: ` t=${t} , v1=${right} `,
    'the other secret': `t=${t},v1=${digestOf(secrets[1]!, t, bytes)}`,
    'a secret of nobody': `t=${t},v1=${wrong}`,
    'of other bytes': `t=${t},v1=${digestOf(secrets[0]!, t, Buffer.from('{}'))}`,
  };
}

/** Bytes that no library sends, and whether the connection is closed after them. */
async function sendRaw(talk: Talk, requestLine: string, headers: string[], body = ''): Promise<void> {
  const connection = await RawConnection.open(talk.stage.service.baseUrl);
  const requestId = `X-Request-Id: ${OTHER_KEY}`;
  connection.write(requestBytes(requestLine, ['Host: service', requestId, ...headers], body));
  const answer = await connection.readAnswer();
  talk.note(`> ${requestLine} · ${headers.join(' · ')}`);
  if (answer) talk.record(answer, OTHER_KEY);
  else talk.note('< nothing');
  connection.close();
}

/** The order of checks (of several faults the first is answered), signatures, headers, routes and framing. */
export const CHECKS: Theme = {
  'each fault alone': async (talk) => {
    const used = await ringUsed(talk);
    for (const fault of Object.keys(FAULTS)) await sendWrong(talk, fault, used, [fault]);
  },
  'every fault, and then one fewer at a time': async (talk) => {
    const used = await ringUsed(talk);
    const faults = Object.keys(FAULTS);
    for (let count = faults.length; count > 1; count -= 1)
      await sendWrong(talk, `${count}`, used, faults.slice(0, count));
  },
  'pairs of faults': async (talk) => {
    const used = await ringUsed(talk);
    const pairs = [
      ['201 lines', 'the sum'],
      ['201 lines', 'another key than in the body'],
      ['a used key', 'a flag'],
      ['a used key', '201 lines'],
      ['a used key', 'the venue'],
      ['the secret', 'the time of the signature'],
      ['a used key', 'another key than in the body'],
      ['no key', 'the venue'],
      ['another key than in the body', 'the sum'],
    ];
    for (const [index, pair] of pairs.entries()) await sendWrong(talk, `${index}`, used, pair);
    talk.note('- the key of the header was used, and the body is malformed');
    await talk.send('{"', { headers: { 'Idempotency-Key': used.calculationId } });
    await talk.send('', { headers: { 'Idempotency-Key': used.calculationId } });
    talk.note('- the replay of a right body with another key in the header');
    await talk.send(used, { headers: { 'Idempotency-Key': OTHER_KEY } });
  },
  'venues and currencies': async (talk) => {
    await talk.member('anna', ['twenty']);
    const contexts = [
      { ...OSLO, baxId: '1' },
      { ...OSLO, baxId: BERGEN.baxId },
      { ...OSLO, venueId: 'OSLO' },
      { ...OSLO, venueId: '__proto__' },
    ];
    for (const [index, context] of contexts.entries()) await talk.ring(`venue ${index}`, 'anna', [{}], { context });
    for (const currency of ['EUR', 'SEK']) await talk.ring(currency, 'anna', [{}], { currency });
  },
  signatures: async (talk) => {
    await talk.member('anna', ['twenty']);
    const basket = talk.basket('first', 'anna');
    for (const [what, header] of Object.entries(signatures(talk, bytesOf(basket)))) {
      talk.note(`- ${what}`);
      await talk.send(basket, { headers: { 'POS-Signature': header } });
    }
    for (const seconds of [-310, -290, 290, 310]) {
      talk.note(`- ${seconds} s from now`);
      await talk.send(basket, { t: unixSeconds() + seconds });
    }
    await talk.send(basket, { headers: { 'POS-Signature': 'Bearer x', Authorization: 'Bearer y' } });
  },
  headers: async (talk) => {
    await talk.member('anna', ['twenty']);
    const variants: Record<string, Record<string, string>> = {
      'a key in capitals': { 'Idempotency-Key': talk.id('a key in capitals').toUpperCase() },
      'a key that is none': { 'Idempotency-Key': 'abc' },
      'JSON without a charset': { 'Content-Type': 'application/json' },
      'JSON in capitals': { 'Content-Type': 'Application/JSON; Charset="UTF-8"' },
      'JSON in Latin 1': { 'Content-Type': 'application/json; charset=iso-8859-1' },
      'a compressed body': { 'Content-Encoding': 'gzip' },
      'a trace': { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', Accept: 'text/html' },
    };
    for (const [what, headers] of Object.entries(variants)) {
      talk.note(`- ${what}`);
      await talk.send(talk.basket(what, 'anna'), { headers });
    }
  },
  'routes and methods': async (talk) => {
    for (const method of ['GET', 'HEAD', 'DELETE', 'OPTIONS']) await talk.send('', { method });
    for (const path of [
      '/',
      '/v1/pos',
      `${BASKET_PATH}/`,
      '/V1/POS/BASKET',
      '/v2/pos/basket',
      '/metrics',
      '/admin/limits',
    ])
      await talk.send('{}', { path });
    await talk.member('anna', ['twenty']);
    await talk.send(talk.basket('first', 'anna'), { path: `${BASKET_PATH}?x=1` });
    await talk.send(talk.basket('second', 'anna'), { path: SALE_PATH });
  },
  framing: async (talk) => {
    const post = `POST ${BASKET_PATH} HTTP/1.1`;
    await sendRaw(talk, post, ['Content-Length: 2', 'Transfer-Encoding: chunked'], '{}');
    await sendRaw(talk, post, ['Content-Length: 2', 'Content-Length: 3'], '{}');
    await sendRaw(talk, post, ['Content-Length: +2'], '{}');
    await sendRaw(talk, post, ['Transfer-Encoding: gzip, chunked'], '0\r\n\r\n');
    await sendRaw(talk, post, [`Content-Length: ${10 ** 9}`]);
    await sendRaw(talk, post, ['Content-Length: 0']);
    await sendRaw(talk, `POST ${SALE_PATH} HTTP/1.1`, ['Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n');
  },
};
