/**
 * A POS backend to be killed: `node till-process.ts <base URL> <secret> <outbox file> <sales>`. Prints the calculation ID of
 * every sale whose event is on the disk, and `drained` when all events it found or made are answered.
 */
import { writeSync } from 'node:fs';
import { LoyaltyClient, saleEventOf } from 'loyalty-basket-client';
import { richBasket } from './fixture.ts';

const [baseUrl = '', secret = '', outbox = '', sales = '0'] = process.argv.slice(2);
const client = await LoyaltyClient.open({ baseUrl, secret, outbox, saleBackoff: { firstDelayMs: 20 } });
for (let sale = 0; sale < Number(sales); sale += 1) {
  const outcome = await client.calculateBasket(richBasket('member'));
  const { outcome: receipt, isDurable } = await client.reportSale(saleEventOf(outcome, `receipt-${sale}`));
  // Written synchronously, past the stream's buffer, so that every line is out when the process is killed.
  if (receipt === 'queued' && isDurable) writeSync(1, `${outcome.calculationId}\n`);
}
while (client.pendingSales > 0) await new Promise((resolve) => setTimeout(resolve, 10));
writeSync(1, 'drained\n');
await client.close();
