/**
 * A POS backend with an outbox on a disk that can fill up: `node outbox-process.ts <base URL> <secret> <outbox file>`,
 * started by `OutboxProcess`. Each message is a method of the client with its arguments, and is answered with the result.
 */
import { LoyaltyClient } from 'loyalty-basket-client';

const [baseUrl = '', secret = '', outbox = ''] = process.argv.slice(2);
const client = await LoyaltyClient.open({
  baseUrl,
  secret,
  outbox,
  onFault: (detail, calculationIds) => process.send?.({ fault: { detail, calculationIds } }),
});
const methods = client as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
process.on('message', async ({ id, method, given }: { id: number; method: string; given: unknown[] }) => {
  process.send?.({ id, result: (await methods[method]!.call(client, ...given)) ?? null });
});
process.send?.({ id: 0, result: null });
