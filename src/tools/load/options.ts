import { existsSync, readFileSync } from 'node:fs';
import type { TillPlace } from '../../../packages/simulator/src/goods.ts';
import type { BasketRequest } from '../../contract/basket-request.ts';
import { MAX_LINES, MIN_SECRET_BYTES } from '../../contract/limits.ts';
import { decodeSecret } from '../../contract/secret.ts';
import { loadEnvironmentFrom } from '../../programme/load.ts';
import { readEnvironmentSource } from '../../programme/source.ts';

/** The arguments as the command line passes them. */
export interface LoadArguments {
  readonly baseUrl: string;
  readonly secretFile: string;
  readonly rate: string;
  readonly duration: string;
  readonly lines: string;
  readonly connections: string;
  readonly members?: string;
  readonly baskets?: string;
  readonly sales?: boolean;
  readonly config: string;
  readonly venue?: string;
  readonly bax?: string;
  readonly currency?: string;
  readonly ca?: string;
  readonly out: string;
  readonly seed: string;
  readonly yesProduction?: boolean;
}

export interface LoadOptions {
  readonly baseUrl: URL;
  readonly secret: Uint8Array;
  /** Calls per second; undefined for as fast as the deployment answers. */
  readonly perSecond: number | undefined;
  readonly seconds: number;
  readonly lines: number;
  readonly connections: number;
  /** Undefined when the baskets' own loyalty IDs are used. */
  readonly members: readonly string[] | undefined;
  /** Undefined when baskets are made up. */
  readonly baskets: readonly BasketRequest[] | undefined;
  /** Where made-up baskets come from; undefined when the baskets are given. */
  readonly place: TillPlace | undefined;
  readonly ca: string | undefined;
  readonly seed: number;
}

/** A command line that cannot be used. The message is one line for the person who typed it. */
export class LoadUsageError extends Error {
  override readonly name = 'LoadUsageError';
}

const MOST_PER_SECOND = 100_000;
const MOST_SECONDS = 86_400;
const MOST_CONNECTIONS = 10_000;
/** The test members of staging (interface, section 1), so that a load of staging needs no list. */
const TEST_MEMBERS = ['test-member-20', 'test-member-none'];

/** Checks the arguments and reads the files that they name. Throws `LoadUsageError`. */
export function readLoadOptions(given: LoadArguments): LoadOptions {
  const baskets = given.baskets === undefined ? undefined : readBaskets(given.baskets);
  const members = given.members === undefined ? undefined : readMembers(given.members);
  return {
    baseUrl: readUrl(given.baseUrl),
    secret: readSecret(given.secretFile),
    perSecond: given.rate === 'max' ? undefined : readNumber('--rate', given.rate, 1, MOST_PER_SECOND),
    seconds: readNumber('--duration', given.duration, 1, MOST_SECONDS),
    lines: readNumber('--lines', given.lines, 1, MAX_LINES),
    connections: readNumber('--connections', given.connections, 1, MOST_CONNECTIONS),
    baskets,
    members: members ?? (baskets ? undefined : TEST_MEMBERS),
    place: baskets ? undefined : findPlace(given),
    ca: given.ca === undefined ? undefined : readText('--ca', given.ca),
    seed: readNumber('--seed', given.seed, 0, 2 ** 31),
  };
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new LoadUsageError(`--base-url: http://host:port or https://… is expected, found ${text}`);
}

/** Hex or base64. The text is never quoted: it is a secret even when it is mistyped. */
function readSecret(file: string): Uint8Array {
  const secret = decodeSecret(readText('--secret-file', file).trim());
  if (secret && secret.length >= MIN_SECRET_BYTES) return secret;
  throw new LoadUsageError(
    `--secret-file: ${file}has no secret of at least ${MIN_SECRET_BYTES} bytes in hex or base64`,
  );
}

function readNumber(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new LoadUsageError(`${name}: a whole number from ${least} to ${most} is expected, found ${text}`);
}

/** One loyalty ID a line; empty lines are left out. */
function readMembers(file: string): string[] {
  const ids = readText('--members', file)
    .split(/\r?\n/)
    .filter((line) => line !== '');
  if (ids.length > 0) return ids;
  throw new LoadUsageError(`--members: ${file} has no loyalty ID`);
}

/** One body of a basket call a line (NDJSON), as recorded or written by hand. */
function readBaskets(file: string): BasketRequest[] {
  const rows = readText('--baskets', file).split(/\r?\n/);
  const baskets = rows.flatMap((row, index) => (row.trim() === '' ? [] : [readBasket(row, `${file}:${index + 1}`)]));
  if (baskets.length > 0) return baskets;
  throw new LoadUsageError(`--baskets: ${file} has no basket`);
}

function readBasket(row: string, place: string): BasketRequest {
  try {
    const basket = JSON.parse(row) as BasketRequest;
    if (Array.isArray(basket.lines)) return basket;
  } catch {
    // The message below says where.
  }
  throw new LoadUsageError(`--baskets: ${place} is not the body of a basket call`);
}

/** The till of made-up baskets: as named, the rest from the environment's first venue. */
function findPlace({ config, venue, bax, currency }: LoadArguments): TillPlace {
  const cashRegisterId = 'load';
  if (venue !== undefined && bax !== undefined && currency !== undefined) {
    return { venueId: venue, baxId: bax, currency, cashRegisterId };
  }
  if (!existsSync(config)) {
    throw new LoadUsageError(`--config: there is no ${config}; name --venue, --bax and --currency instead`);
  }
  const { venues } = loadEnvironmentFrom(readEnvironmentSource(config));
  const found = venue === undefined ? venues[0] : venues.find(({ venueId }) => venueId === venue);
  if (!found) throw new LoadUsageError(`--venue: ${config} has no venue ${venue ?? ''}`);
  return {
    venueId: found.venueId,
    baxId: bax ?? [...found.terminalSetups][0]!,
    currency: currency ?? [...found.currencies][0]!,
    cashRegisterId,
  };
}

function readText(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new LoadUsageError(`${name}: ${(error as Error).message}`);
  }
}
