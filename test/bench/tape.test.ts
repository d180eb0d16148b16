import { readBasketRequest } from '@loyalty/contract/basket/basket-request';
import { readSaleEvent } from '@loyalty/contract/basket/sale-event';
import { verifySignature } from '@loyalty/contract/signature';
import { describe, expect, it } from 'vitest';
import type { Mix } from '../../bench/load/mix.ts';
import { Tape } from '../../bench/load/tape.ts';

const SECRET = 'ab'.repeat(32);
const COUNT = 300;
const DISTANCE = 10;

/** A request as it goes over the wire, taken apart again. */
function requestsOf(mix: Mix, seed = 7) {
  const tape = new Tape(mix, SECRET, seed, DISTANCE);
  tape.prepare(COUNT);
  const target = Buffer.alloc(tape.longest);
  return Array.from({ length: COUNT }, (_, index) => {
    const bytes = Buffer.from(target.subarray(0, tape.writeRequest(index, target)));
    const end = bytes.indexOf('\r\n\r\n');
    const [start = '', ...lines] = bytes.toString('utf8', 0, end).split('\r\n');
    const headers = new Map(lines.map((line) => line.split(': ') as [string, string]));
    return { kind: tape.classOf(index), path: start.split(' ')[1], headers, body: bytes.subarray(end + 4) };
  });
}

describe('the requests that are prepared ahead', () => {
  it('are signed, complete and right to the unit, each under an ID of its own', () => {
    const requests = requestsOf({ lines: 5, large: { share: 0.2, lines: 40 } });
    const ids = new Set<string>();
    for (const { headers, body, path } of requests) {
      const key = headers.get('Idempotency-Key') ?? '';
      ids.add(key);
      expect(path).toBe('/v1/pos/basket');
      expect(Number(headers.get('Content-Length'))).toBe(body.length);
      const signature = headers.get('POS-Signature') ?? '';
      expect(verifySignature(signature, body, [Buffer.from(SECRET, 'hex')], Date.now() / 1000)).toBe('verified');
      const read = readBasketRequest(body, key);
      expect(read).toMatchObject({ ok: true });
      if (read.ok) expect(read.mismatch).toBeUndefined();
    }
    expect(ids.size).toBe(COUNT);
    expect(new Set(requests.map(({ kind }) => kind))).toEqual(new Set(['basket', 'large']));
  });

  it('repeat earlier ones to the byte where replays are asked for', () => {
    const requests = requestsOf({ lines: 3, replayShare: 0.3 });
    const replays = requests.filter(({ kind }) => kind === 'replay');
    expect(replays.length).toBeGreaterThan(COUNT / 6);
    for (const replay of replays) {
      const before = requests.slice(0, requests.indexOf(replay));
      expect(before.some(({ body }) => body.equals(replay.body))).toBe(true);
    }
  });

  it('end every basket with a sale event where sales are asked for', () => {
    const requests = requestsOf({ lines: 3, withSales: true });
    const seen = new Set<string>();
    const sold = new Set<string>();
    for (const { kind, path, headers, body } of requests) {
      const key = headers.get('Idempotency-Key') ?? '';
      if (kind !== 'sale') seen.add(key);
      else {
        expect(path).toBe('/v1/pos/sale');
        expect(readSaleEvent(body, key)).toMatchObject({ ok: true });
        expect(seen.has(key)).toBe(true);
        expect(sold.has(key)).toBe(false);
        sold.add(key);
      }
    }
    expect(sold.size).toBeGreaterThan(COUNT / 3);
  });

  it('have the same baskets and members for the same seed, and other IDs', () => {
    const mix: Mix = { lines: 4 };
    const withoutIds = (seed: number) =>
      requestsOf(mix, seed).map(({ body }) => body.toString().replace(/"calculationId":"[^"]+"/, ''));
    expect(withoutIds(1)).toEqual(withoutIds(1));
    expect(withoutIds(1)).not.toEqual(withoutIds(2));
  });
});
