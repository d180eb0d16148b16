import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LoyaltyClient, type PriceList } from '../../../packages/client/src/index.ts';
import { type Environment, loadEnvironment } from '../../programme/environment.ts';
import { Books } from '../simulator/books.ts';
import { playCheckouts } from './demo-checkouts.ts';
import { playDay } from './demo-day.ts';
import { Endings } from './demo-endings.ts';
import { openService } from './demo-service.ts';

/**
 * `npm run demo`: a POS simulator. Three checkouts with their baskets before and after, then a day in a shop full of
 * tills, and at the end a reconciliation that must be empty. Uses the service at `--base-url`, or starts one.
 */

const USAGE = `usage: npm run demo -- [options]

  --seconds N         how long the shop is open (20)
  --tills N           how many tills it has (8)
  --base-url URL      the service (http://127.0.0.1:8080); started when nothing answers there
  --secret-file FILE  its secret (.data/secret)
  --config FILE       its environment, for venue, members and rate limit (config/staging.yaml)
  --seed N            the same guests again
`;

process.exitCode = await main();

/** 0: everything was settled once. 1: it was not, or the demo could not run. 2: wrong arguments. */
async function main(): Promise<number> {
  let options: ReturnType<typeof readArguments>;
  try {
    options = readArguments();
  } catch (error) {
    process.stderr.write(`demo: ${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  if (options.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const closing = new AbortController();
  // The first Ctrl-C closes the shop; a second one ends the demo as it ends every program.
  process.once('SIGINT', () => closing.abort());
  const folder = mkdtempSync(join(tmpdir(), 'loyalty-demo-'));
  let service: Awaited<ReturnType<typeof openService>> | undefined;
  let client: LoyaltyClient | undefined;
  try {
    const environment = loadEnvironment(readFileSync(options.config, 'utf8'), options.config);
    service = await openService(options.baseUrl, options.secretFile);
    const books = new Books();
    const endings = new Endings();
    let retries = 0;
    client = await LoyaltyClient.open({
      baseUrl: options.baseUrl,
      secret: service.secret,
      outbox: join(folder, 'outbox.log'),
      priceList: priceListOf(environment),
      onSaleEnding: (ending) => {
        books.end(ending);
        endings.tell(ending);
      },
      onSaleRetry: () => {
        retries += 1;
      },
      onFault: (detail) => process.stderr.write(`demo: ${detail}\n`),
    });
    await playCheckouts(client, (calculationId) => endings.of(calculationId));
    const isInOrder = await playDay({
      client,
      books,
      environment,
      ...options,
      retries: () => retries,
      closing: closing.signal,
    });
    return isInOrder ? 0 : 1;
  } catch (error) {
    process.stderr.write(`demo: ${(error as Error).message}\n`);
    return 1;
  } finally {
    await client?.close();
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '20' },
      tills: { type: 'string', default: '8' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      'base-url': { type: 'string', default: 'http://127.0.0.1:8080' },
      'secret-file': { type: 'string', default: '.data/secret' },
      config: { type: 'string', default: 'config/staging.yaml' },
      help: { type: 'boolean', default: false },
    },
  });
  const { config, help } = values;
  return {
    seconds: wholeNumber('--seconds', values.seconds, 1, 86_400),
    tills: wholeNumber('--tills', values.tills, 1, 500),
    seed: wholeNumber('--seed', values.seed, 0, 2 ** 31),
    baseUrl: values['base-url'],
    secretFile: values['secret-file'],
    config,
    help,
  };
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new Error(`${name}: a whole number from ${least} to ${most} is expected, found ${text}`);
  }
  return value;
}

/** The till's price list: what the environment's file says the venues sell. */
function priceListOf({ venues }: Environment): PriceList {
  const products = new Map(venues.map((venue) => [venue.venueId, venue.products]));
  return (venueId, productId) => products.get(venueId)?.get(productId);
}
