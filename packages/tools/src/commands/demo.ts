import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../../../src/programme/environment.ts';
import { isStaging } from '../../../../src/programme/environment-name.ts';
import { loadEnvironmentFrom } from '../../../../src/programme/load.ts';
import { readEnvironmentSource } from '../../../../src/programme/source.ts';
import { LoyaltyClient, type PriceList, type SaleEnding } from '../../../client/src/index.ts';
import { Books } from '../../../simulator/src/books.ts';
import { closeOnSignals } from '../terminal/closing.ts';
import { playCheckouts } from './demo-checkouts.ts';
import { playDay } from './demo-day.ts';
import { openService, type ServiceSought } from './demo-service.ts';

/**
 * `demo`: a POS simulator. It plays three checkouts with their baskets before and after, then a day in a shop full of
 * tills, and ends with a reconciliation that must find no difference. It uses a running service whose secret it has, or
 * starts one of its own.
 */

/** The arguments as the command line passes them. */
export interface DemoArguments extends ServiceSought {
  readonly seconds: number;
  readonly tills: number;
  readonly seed: number;
}

/** Resolves with 0 when every sale was settled once, and with 1 when one was not. Throws when the demo fails. */
export async function demo(options: DemoArguments): Promise<number> {
  // The first signal closes the shop; the second one ends the demo, and with it the service that it started.
  const closing = closeOnSignals();
  const folder = mkdtempSync(join(tmpdir(), 'loyalty-demo-'));
  let service: Awaited<ReturnType<typeof openService>> | undefined;
  let client: LoyaltyClient | undefined;
  try {
    const environment = loadEnvironmentFrom(readEnvironmentSource(options.config));
    if (!isStaging(environment.name)) {
      throw new Error(`${options.config} is the environment ${environment.name}: the demo plays in staging only`);
    }
    service = await openService(options, folder);
    const books = new Books();
    /** Emits the final answer to the event of a calculation under the name of its ID. */
    const endings = new EventEmitter<Record<string, [SaleEnding]>>();
    let retries = 0;
    client = await LoyaltyClient.open({
      baseUrl: service.baseUrl,
      secret: service.secret,
      outbox: join(folder, 'outbox.log'),
      priceList: priceListOf(environment),
      onSaleEnding: (ending) => {
        books.end(ending);
        endings.emit(ending.event.calculationId, ending);
      },
      onSaleRetry: () => {
        retries += 1;
      },
      onFault: (detail) => process.stderr.write(`demo: ${detail}\n`),
    });
    await playCheckouts(client, async (calculationId) => (await once(endings, calculationId))[0]);
    const isInOrder = await playDay({
      client,
      books,
      environment,
      ...options,
      serviceVariables: service.env,
      retries: () => retries,
      closing,
    });
    return isInOrder ? 0 : 1;
  } finally {
    await client?.close();
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The tills' price list: the products in the environment's file, by venue. */
function priceListOf({ venues }: Environment): PriceList {
  const products = new Map(venues.map((venue) => [venue.venueId, venue.products]));
  return (venueId, productId) => products.get(venueId)?.get(productId);
}
