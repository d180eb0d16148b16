/** The programs that use what the generators made: each prints the same line. */

/** Runs the three generators on openapi.json. */
export const GENERATE = `
import { readFileSync, writeFileSync } from 'node:fs';
import { createClient } from '@hey-api/openapi-ts';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { FetchingJSONSchemaStore, InputData, JSONSchemaInput, quicktype } from 'quicktype-core';

const text = readFileSync('openapi.json', 'utf8');
writeFileSync('types.ts', astToString(await openapiTypescript(JSON.parse(text))));

await createClient({
  input: 'openapi.json',
  output: { path: 'client', module: { extension: '.ts' } },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  logs: { level: 'silent', file: false },
});

// Python needs a package for dates; as texts they are what the interface says.
const schemas = JSON.parse(text, (name, value) => (name === 'format' ? undefined : value)).components.schemas;
const definitions = JSON.parse(JSON.stringify(schemas).replaceAll('#/components/schemas/', '#/definitions/'));
const input = new JSONSchemaInput(new FetchingJSONSchemaStore());
for (const name of ['BasketRequest', 'AppliedResponse', 'UnchangedResponse', 'SaleEvent', 'SaleAnswer', 'Error']) {
  await input.addSource({ name, schema: JSON.stringify({ definitions, $ref: '#/definitions/' + name }) });
}
const inputData = new InputData();
inputData.addInput(input);
const { lines } = await quicktype({ inputData, lang: 'python' });
writeFileSync('contract.py', lines.join('\\n'));
`;

const SIGN = `
const secret = Buffer.from(process.env['SECRET'] ?? '', 'hex');
function sign(body: string): string {
  const t = Math.floor(Date.now() / 1000);
  return 't=' + t + ',v1=' + createHmac('sha256', secret).update(t + '.' + body).digest('hex');
}

function basketOf(loyaltyId: string): Basket {
  return {
    calculationId: randomUUID(),
    loyaltyId,
    currency: 'NOK',
    requestedAt: new Date().toISOString(),
    context: { venueId: 'oslo-central', cashRegisterId: 'till-1', baxId: '500123', channel: 'pos' },
    lines: [
      {
        lineId: '1',
        productId: '4711',
        name: 'Filter coffee',
        quantity: 2,
        unitPrice: 3900,
        originalLinePrice: 7800,
        noDiscount: false,
        noPercentageDiscount: false,
        existingLineDiscountType: 'none',
        existingLineDiscountAmount: 0,
        orderDiscountAllocation: [],
        orderLinePrice: 7800,
      },
    ],
    orderDiscounts: [],
    totals: { originalTotal: 7800, existingDiscountTotal: 0, orderDiscountTotal: 0, loyaltyDiscountTotal: 0, total: 7800 },
  };
}

function describe(answer: Answer): string {
  if (answer.status === 'applied') return 'applied ' + answer.totals.total;
  return answer.status === 'unchanged' ? 'unchanged ' + answer.reason : answer.status;
}

// A reason that does not exist yet compiles, so a caller's code must bear it.
const tomorrow: Answer = { calculationId: randomUUID(), status: 'unchanged', reason: 'full_moon' };
if (describe(tomorrow) !== 'unchanged full_moon') throw new Error('the reason of tomorrow is lost');
`;

export const TYPES_PROGRAM = `
import { createHmac, randomUUID } from 'node:crypto';
import type { paths } from './types.ts';

type Call = paths['/v1/pos/basket']['post'];
type Basket = Call['requestBody']['content']['application/json'];
type Answer = Call['responses']['200']['content']['application/json'];
type Refused = Call['responses']['401' | '404' | '405']['content']['application/json'];
type Sale = paths['/v1/pos/sale']['post'];
type SaleEvent = Sale['requestBody']['content']['application/json'];
type SaleAnswer = Sale['responses']['200']['content']['application/json'];
${SIGN}
async function send<T>(path: keyof paths, body: Basket | SaleEvent, signature?: string): Promise<T> {
  const text = JSON.stringify(body);
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'POS-Signature': signature ?? sign(text),
    'Idempotency-Key': body.calculationId,
  };
  const answer = await fetch(process.env['BASE'] + path, { method: 'POST', headers, body: text });
  return (await answer.json()) as T;
}

const basket = basketOf('test-member-20');
const applied = await send<Answer>('/v1/pos/basket', basket);
const unchanged = await send<Answer>('/v1/pos/basket', basketOf('test-member-none'));
const event: SaleEvent = { calculationId: basket.calculationId, status: 'applied', transactionId: 'receipt-1' };
const { result } = await send<SaleAnswer>('/v1/pos/sale', event);
const { error } = await send<Refused>('/v1/pos/basket', basket, 't=1,v1=0');
const code: Refused['error']['code'] = error.code === 'stale_timestamp' ? 'invalid_signature' : error.code;
console.log([describe(applied), describe(unchanged), result, code].join(', '));
`;

export const CLIENT_PROGRAM = `
import { createHmac, randomUUID } from 'node:crypto';
import { client } from './client/client.gen.ts';
import { calculateBasket, reportSale } from './client/sdk.gen.ts';
import type { BasketRequest as Basket, BasketResponse as Answer } from './client/types.gen.ts';
${SIGN}
client.setConfig({ baseUrl: process.env['BASE'] ?? '' });
// Signed over the bytes that the client made, at the last moment.
client.interceptors.request.use(async (request) => {
  if (!request.headers.has('POS-Signature')) request.headers.set('POS-Signature', sign(await request.clone().text()));
  return request;
});

const keyOf = (basket: { calculationId: string }) => ({ 'Idempotency-Key': basket.calculationId });
const basket = basketOf('test-member-20');
const applied = await calculateBasket({ body: basket, headers: keyOf(basket), throwOnError: true });
const none = basketOf('test-member-none');
const unchanged = await calculateBasket({ body: none, headers: keyOf(none), throwOnError: true });
const event = { calculationId: basket.calculationId, status: 'applied', transactionId: 'receipt-1' } as const;
const sale = await reportSale({ body: event, headers: keyOf(basket), throwOnError: true });
const forged = { ...keyOf(basket), 'POS-Signature': 't=1,v1=0' };
const { error: refused } = await calculateBasket({ body: basket, headers: forged });
const code = refused?.error.code === 'stale_timestamp' ? 'invalid_signature' : refused?.error.code;
console.log([describe(applied.data), describe(unchanged.data), sale.data.result, code].join(', '));
`;

export const PYTHON_PROGRAM = `
import json
import os
import uuid

import contract
import loyalty

service = loyalty.Service(os.environ["BASE"], loyalty.decode_secret(os.environ["SECRET"]))


def basket_of(loyalty_id):
    # Through the class and back: what it loses or renames, the service would refuse.
    return contract.basket_request_to_dict(contract.basket_request_from_dict(loyalty.basket_of(loyalty_id, "2", 3900)))


def send(path, body):
    return service.post(path, body["calculationId"], json.dumps(body).encode(), 10)


basket = basket_of("test-member-20")
applied = contract.applied_response_from_dict(json.loads(send("/v1/pos/basket", basket)[1]))
unchanged = contract.unchanged_response_from_dict(json.loads(send("/v1/pos/basket", basket_of("test-member-none"))[1]))
event = {"calculationId": basket["calculationId"], "status": "applied", "transactionId": "receipt-1"}
event = contract.sale_event_from_dict(event)
sale = contract.sale_answer_from_dict(json.loads(send("/v1/pos/sale", contract.sale_event_to_dict(event))[1]))

tomorrow = {"calculationId": str(uuid.uuid4()), "status": "unchanged", "reason": "full_moon"}
assert contract.unchanged_response_to_dict(contract.unchanged_response_from_dict(tomorrow)) == tomorrow

stranger = loyalty.Service(os.environ["BASE"], bytes(32))
error = contract.error_from_dict(json.loads(stranger.post("/v1/pos/basket", basket["calculationId"], b"{}", 10)[1]))
reason = getattr(unchanged.reason, "value", unchanged.reason)
print(f"applied {applied.totals.total}, unchanged {reason}, {sale.result.value}, {error.error.code.value}")
`;
