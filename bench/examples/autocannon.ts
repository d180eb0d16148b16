import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { signatureHeader } from '@loyalty/contract/signature';
import autocannon, { printResult } from 'autocannon';

/** A signed load with autocannon itself: node bench/examples/autocannon.ts <base URL> <secret file, hex> <basket.json> [seconds] */
const [baseUrl = '', secretFile = '', basketFile = '', seconds = '10'] = process.argv.slice(2);
const secret = Buffer.from(readFileSync(secretFile, 'utf8').trim(), 'hex');
const basket = JSON.parse(readFileSync(basketFile, 'utf8'));
const setupRequest = (request: object) => {
  const calculationId = randomUUID();
  const body = JSON.stringify({ ...basket, calculationId });
  const signature = signatureHeader(secret, Math.floor(Date.now() / 1000), Buffer.from(body));
  const headers = { 'Content-Type': 'application/json', 'POS-Signature': signature, 'Idempotency-Key': calculationId };
  return { ...request, headers, body };
};
const load = { url: `${baseUrl}/v1/pos/basket`, method: 'POST', connections: 8, duration: Number(seconds) } as const;
process.stdout.write(printResult(await autocannon({ ...load, requests: [{ setupRequest }] })));
