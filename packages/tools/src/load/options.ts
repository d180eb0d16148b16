import { existsSync, readFileSync } from 'node:fs';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import { isCertificate } from '@loyalty/contract/certificate';
import { MIN_SECRET_BYTES } from '@loyalty/contract/limits';
import { decodeSecret, secretFlaw } from '@loyalty/contract/secret';
import { loadEnvironmentFrom } from '../../../../src/programme/load.ts';
import { readEnvironmentSource } from '../../../../src/programme/source.ts';
import type { TillPlace } from '../../../simulator/src/goods.ts';

/** The arguments as the command line passes them. */
export interface LoadArguments {
  readonly baseUrl: string;
  readonly secretFile: string;
  readonly rate: number | 'max';
  readonly duration: number;
  readonly lines: number;
  readonly connections: number;
  readonly members?: string;
  readonly baskets?: string;
  readonly sales?: boolean;
  readonly config: string;
  readonly venue?: string;
  readonly bax?: string;
  readonly currency?: string;
  readonly ca?: string;
  readonly out: string;
  readonly seed: number;
  readonly yesProduction?: boolean;
}

/** What the arguments name, read from its files. */
export type LoadInput = ReturnType<typeof readLoadInput>;

/** The test members of staging (interface, section 1), so that a load of staging needs no list. */
const TEST_MEMBERS = ['test-member-20', 'test-member-none'];

/** Reads the files that the arguments name. Throws an error of one line for the person who typed them. */
export function readLoadInput(given: LoadArguments) {
  const baskets = given.baskets === undefined ? undefined : readBaskets(given.baskets);
  const members = given.members === undefined ? undefined : readMembers(given.members);
  return {
    secret: readSecret(given.secretFile),
    /** Undefined when baskets are made up. */
    baskets,
    /** Undefined when the baskets' own loyalty IDs are used. */
    members: members ?? (baskets ? undefined : TEST_MEMBERS),
    /** Where made-up baskets come from; undefined when the baskets are given. */
    place: baskets ? undefined : findPlace(given),
    ca: given.ca === undefined ? undefined : readCertificate(given.ca),
  };
}

/** Hex or base64. The text is never quoted: it is a secret even when it is mistyped. */
function readSecret(file: string): Uint8Array {
  const text = readText('--secret-file', file).trim();
  const secret = decodeSecret(text);
  if (!secret) throw new Error(`--secret-file: the secret in ${file} ${secretFlaw(text)}`);
  if (secret.length >= MIN_SECRET_BYTES) return secret;
  throw new Error(`--secret-file: ${file} has no secret of at least ${MIN_SECRET_BYTES} bytes in hex or base64`);
}

/** One loyalty ID a line; empty lines are left out. */
function readMembers(file: string): string[] {
  const ids = readLinesOf('--members', file).filter((line) => line !== '');
  if (ids.length > 0) return ids;
  throw new Error(`--members: ${file} has no loyalty ID`);
}

/** One body of a basket call a line (NDJSON), as recorded or written by hand. */
function readBaskets(file: string): BasketRequest[] {
  const baskets = readLinesOf('--baskets', file).flatMap((row, index) => {
    if (row.trim() === '') return [];
    try {
      const basket = JSON.parse(row) as BasketRequest;
      if (Array.isArray(basket.lines)) return [basket];
    } catch {
      // The message below says where.
    }
    throw new Error(`--baskets: ${file}:${index + 1} is not the body of a basket call`);
  });
  if (baskets.length > 0) return baskets;
  throw new Error(`--baskets: ${file} has no basket`);
}

function readLinesOf(option: string, file: string): string[] {
  return readText(option, file).split(/\r?\n/);
}

/** The till of made-up baskets: as named, the rest from the environment's first venue. */
function findPlace({ config, venue, bax, currency }: LoadArguments): TillPlace {
  const cashRegisterId = 'load';
  if (venue !== undefined && bax !== undefined && currency !== undefined) {
    return { venueId: venue, baxId: bax, currency, cashRegisterId };
  }
  if (!existsSync(config)) {
    throw new Error(`--config: there is no ${config}; name --venue, --bax and --currency instead`);
  }
  const { venues } = loadEnvironmentFrom(readEnvironmentSource(config));
  const found = venue === undefined ? venues[0] : venues.find(({ venueId }) => venueId === venue);
  if (!found) throw new Error(`--venue: ${config} has no venue ${venue ?? ''}`);
  return {
    venueId: found.venueId,
    baxId: bax ?? [...found.terminalSetups][0]!,
    currency: currency ?? [...found.currencies][0]!,
    cashRegisterId,
  };
}

function readCertificate(file: string): string {
  const pem = readText('--ca', file);
  if (!isCertificate(pem)) throw new Error(`--ca: ${file} is not a PEM certificate`);
  return pem;
}

function readText(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`);
  }
}
