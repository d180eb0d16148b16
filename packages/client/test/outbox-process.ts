/**
 * A POS backend with an outbox on a disk that can fill up: `node outbox-process.ts <base URL> <secret> <outbox file>`,
 * started by `OutboxProcess`. Each message is a method of the client with its arguments, and is answered with the result.
 */
import { LoyaltyClient } from 'loyalty-basket-client';

const [baseUrl = '', secret = '', outbox = ''] = process.argv.slice(2);
const onFault = (detail: string, calculationIds: readonly string[]) =>
  void process.send?.({ fault: { detail, calculationIds } });
const opening = LoyaltyClient.open({ baseUrl, secret, outbox, onFault });
process.on('message', async ({ id, method, given }: { id: number; method: string; given: unknown[] }) => {
  const methods = (await opening) as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
  process.send?.({ id, result: await methods[method]!.call(methods, ...given) });
});
await opening.then(
  () => process.send?.({ id: 0 }),
  ({ message }: Error) => process.send?.({ id: 0, error: message }),
);
