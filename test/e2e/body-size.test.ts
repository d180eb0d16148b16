/** 256 KB and not a byte more (interface, section 8), counted on what arrives and on what is announced. */
import { MAX_EAN_CHARACTERS, MAX_IDENTIFIER_CHARACTERS, MAX_NAME_CHARACTERS } from '@loyalty/contract/limits';
import { expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { BASKET_PATH, bytesOf, SALE_PATH } from '../support/caller.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { RawConnection, requestBytes, signedHeaders } from '../support/raw-connection.ts';
import { useSharedService } from '../support/shared-service.ts';
import type { AppliedBody, BasketBody } from '../support/wire.ts';

const stage = useSharedService();
const LIMIT = 262_144;

/** A right basket whose JSON is exactly so many bytes long; blanks at the end are JSON too. */
function basketOfBytes(bytes: number): { basket: BasketBody; body: Buffer } {
  const basket = basketOf();
  const text = JSON.stringify(basket);
  return { basket, body: Buffer.from(text + ' '.repeat(bytes - text.length)) };
}

test.each([
  ['with its length announced', undefined],
  ['in chunks', 16_384],
  ['in one chunk', LIMIT],
])('262,144 bytes are accepted %s', async (_, chunkBytes) => {
  const { body } = basketOfBytes(LIMIT);
  const answer = await stage.caller.send(BASKET_PATH, body, chunkBytes === undefined ? {} : { chunkBytes });
  expect(answer.status).toBe(200);
});

test.each([
  [BASKET_PATH, 1],
  [BASKET_PATH, 40_000],
  [SALE_PATH, 1],
])('%s with %d bytes more is 413', async (path, excess) => {
  const { body } = basketOfBytes(LIMIT + excess);
  const answer = await stage.caller.send(path, body);
  expect([answer.status, answer.code]).toEqual([413, 'invalid_request']);
});

test('an announced 10 GB, and a chunked body that grows past the limit and never ends, are cut off', async () => {
  const chunk = Buffer.concat([Buffer.from('8000\r\n'), Buffer.alloc(0x8000, 0x20), Buffer.from('\r\n')]);
  for (const [framing, chunks] of [
    ['Content-Length: 10737418240', 0],
    ['Transfer-Encoding: chunked', 10],
  ] as const) {
    const { basket, body } = basketOfBytes(1_000);
    const connection = await RawConnection.open(stage.service.baseUrl);
    const headers = [...signedHeaders(stage.caller.secret, basket, body), framing];
    connection.write(requestBytes(`POST ${BASKET_PATH} HTTP/1.1`, headers));
    for (let sent = 0; sent < chunks; sent += 1) connection.write(chunk);
    const answer = await connection.readAnswer(2_000);
    expect([answer?.status, answer?.code]).toEqual([413, 'invalid_request']);
    expect(await connection.closes()).toBe(true);
  }
});

test('a body that says nothing of its length is an empty one', async () => {
  const connection = await RawConnection.open(stage.service.baseUrl);
  const { basket } = basketOfBytes(1_000);
  connection.write(
    requestBytes(`POST ${BASKET_PATH} HTTP/1.1`, signedHeaders(stage.caller.secret, basket, Buffer.alloc(0))),
  );
  const answer = await connection.readAnswer();
  expect([answer?.status, answer?.code]).toEqual([400, 'invalid_request']);
  connection.close();
});

test('large bodies and their answers leave no memory behind that the collector has to find', async () => {
  const bodies = Array.from({ length: 120 }, () => {
    const basket = basketOf(Array.from({ length: 200 }, () => ({})));
    return bytesOf(basket);
  });
  const bytesHeld = async () => readingOf(await scrape(stage.service), 'nodejs_external_memory_bytes') ?? 0;
  await stage.caller.send(BASKET_PATH, bodies[0]!);
  const before = await bytesHeld();
  let answered = 0;
  for (const body of bodies) answered += (await stage.caller.send(BASKET_PATH, body)).text.length;
  expect(answered).toBeGreaterThan(10_000_000);
  expect((await bytesHeld()) - before).toBeLessThan(answered / 4);
});

test('200 lines with every text at its maximum do not fit into a body, and the most that do are answered and replayed', async () => {
  const identifier = 'i'.repeat(MAX_IDENTIFIER_CHARACTERS - 4);
  const words = Array.from({ length: 75 }, (_, at) => ({
    lineId: `${identifier}${at}`,
    productId: identifier,
    productMasterId: identifier,
    productGroupId: identifier,
    ean: '1'.repeat(MAX_EAN_CHARACTERS),
    name: 'n'.repeat(MAX_NAME_CHARACTERS),
    existing: 1,
    existingLineDiscountCampaignId: identifier,
  }));
  const basket = basketOf(words);
  const first = await stage.caller.basket(basket);
  expect(first.json<AppliedBody>().lines.length).toBe(words.length);
  const again = await stage.caller.basket(basket);
  expect({ isReplayed: again.isReplayed, isSame: again.text === first.text }).toEqual({
    isReplayed: true,
    isSame: true,
  });
});
