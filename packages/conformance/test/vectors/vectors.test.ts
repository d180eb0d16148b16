/** Every vector is run: signatures by the verifier, requests and sale events by the service, answers by three judges. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import { verifySignature } from '@loyalty/contract/signature';
import { afterAll, describe, expect, test } from 'vitest';
import { stagingConfiguration } from '../../../../test/openapi/support.ts';
import { BASKET_PATH } from '../../../../test/support/caller.ts';
import { cleanUp, temporaryDirectory } from '../../../../test/support/cleanup.ts';
import { useSharedService } from '../../../../test/support/shared-service.ts';
import { digestOf } from '../../../../test/support/signer.ts';
import type { BasketBody, SaleBody } from '../../../../test/support/wire.ts';
import type { PriceList } from '../../../client/src/added-lines.ts';
import { judgeAnswer } from '../../../client/src/answer.ts';
import type { Exchange } from '../../src/kit/exchange.ts';
import { STANDING_RULES } from '../../src/kit/judge/standing.ts';
import type { vectorFiles } from '../../src/vectors/files.ts';
import { writeVectors } from '../../src/vectors/write.ts';

type Files = ReturnType<typeof vectorFiles>;

const folder = temporaryDirectory();
writeVectors(folder);
afterAll(cleanUp);

function read<Name extends keyof Files>(name: Name): Files[Name] {
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as Files[Name];
}

/** Rows that are named as their vectors. */
const named = <Vector extends { readonly name: string }>(vectors: readonly Vector[]) =>
  vectors.map((vector) => [vector.name, vector] as const);

test('no two vectors of a file have one name', () => {
  const { signing, verifying } = read('signature.json');
  for (const list of [
    signing,
    verifying,
    read('requests.json').vectors,
    read('responses.json').vectors,
    read('sales.json').vectors,
  ]) {
    expect(new Set(list.map(({ name }) => name)).size).toBe(list.length);
  }
});

describe('signature.json', () => {
  const { signing, verifying } = read('signature.json');

  test.each(named(signing))('signing: %s', (_, vector) => {
    const body = Buffer.from(vector.bodyBase64, 'base64');
    for (const secret of [vector.secretHex, vector.secretBase64]) {
      expect(`t=${vector.t},v1=${digestOf(secret, vector.t, body)}`).toBe(vector.header);
    }
    if (vector.body !== undefined) expect(Buffer.from(vector.body)).toEqual(body);
  });

  test.each(named(verifying))('verifying: %s', (_, vector) => {
    const secrets = vector.secretsHex.map((secret) => Buffer.from(secret, 'hex'));
    const body = Buffer.from(vector.bodyBase64, 'base64');
    expect(verifySignature(vector.header, body, secrets, vector.nowSeconds)).toBe(vector.outcome);
  });
});

describe('against the service on the staging configuration', () => {
  const stage = useSharedService(stagingConfiguration({ rateLimit: { sustained: 10_000, burst: 20_000 } }));

  test.each(named(read('requests.json').vectors))('request: %s', async (_, vector) => {
    const answer = await stage.caller.basket(vector.request as unknown as BasketBody);
    const { expected } = vector;
    const found =
      'status' in expected
        ? { httpStatus: answer.status, status: answer.json().status }
        : { httpStatus: answer.status, code: answer.code, field: answer.details['field'] };
    expect(found).toEqual(expected);
  });

  test.each(named(read('sales.json').vectors))('sale: %s', async (_, vector) => {
    if (vector.basket !== undefined)
      expect((await stage.caller.basket(vector.basket as unknown as BasketBody)).status).toBe(200);
    for (const { event, expected } of vector.events) {
      const answer = await stage.caller.sale(event as unknown as SaleBody);
      const found = 'result' in expected ? { result: answer.json().result } : { code: answer.code };
      expect({ httpStatus: answer.status, ...found }).toEqual(expected);
    }
  });
});

describe('responses.json', () => {
  const { request, priceList, vectors } = read('responses.json');
  const basket = request as BasketRequest;

  test.each(named(vectors))('the client: %s', (_, { response, isValid }) => {
    const received = {
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: Buffer.from(JSON.stringify(response)),
    };
    const list: PriceList = (_venueId, productId) => {
      const unitPrice = priceList[productId];
      return unitPrice === undefined ? undefined : { unitPrice };
    };
    const { verdict } = judgeAnswer(basket, received, list);
    expect(verdict).toBe(isValid ? 'accepted' : 'invalid_response');
  });

  /** Faults that only a price list shows, and a removed line, which the interface allows. */
  const NOT_SEEN_FROM_OUTSIDE = ['added-wrong-price', 'added-unknown-product'];

  test.each(named(vectors))('the kit: %s', (name, { response, isValid }) => {
    const exchange: Exchange = {
      ...{ endpoint: 'basket', method: 'POST', path: BASKET_PATH, request, requestId: undefined, status: 200 },
      ...{ headers: [], bytes: Buffer.from(JSON.stringify(response)), body: response, roundTripMs: 1 },
    };
    const rules = STANDING_RULES.filter((rule) => rule.name.startsWith('answers.'));
    const faults = rules.flatMap((rule) => rule.faultsOf(exchange) ?? []);
    if (isValid || NOT_SEEN_FROM_OUTSIDE.includes(name)) expect(faults).toEqual([]);
    else expect(faults).not.toEqual([]);
  });
});
