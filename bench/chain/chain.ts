import { fingerprintOf } from '@loyalty/contract/fingerprint';
import { signatureHeader, verifySignature } from '@loyalty/contract/signature';
import { priceAnswer, type RenderedAnswer } from '../../src/calls/answer.ts';
import { type ReadCall, readCall } from '../../src/calls/read-call.ts';
import { storedForm } from '../../src/calls/stored/stored-answer.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import { createBaskets } from '../load/baskets.ts';
import { loyaltyIdOf } from '../load/mix.ts';
import { benchConfiguration } from '../machine/configuration.ts';

/**
 * The pure chain of a basket call: the bytes of a request in, the bytes of its answer and the stored form out, without
 * sockets, Redis or threads. It calls the functions of the service in the order of a call, so that a figure of each step
 * exists that no neighbour's network or disk can disturb. Two secrets are active and the older one signs, as in a rotation.
 */

const NOW_SECONDS = 1_800_000_000;
const SECRETS = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const;
const BASKETS = 16;
const SEED = 1;
const NOTHING_HELD: ReadonlyMap<string, number> = new Map();

const environment = loadEnvironment(JSON.stringify(benchConfiguration()), 'the benchmark');

/** One signed request. */
export interface SignedBody {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly header: string;
  readonly calculationId: string;
}

/** Creates signed requests of `lines` lines. `letter` stands in the name of the first line alone; all others are ASCII. */
export function signedBodies(lines: number, letter: string): SignedBody[] {
  return createBaskets(BASKETS, lines, SEED).map((basket, at) => {
    const named = basket.lines.map((line, index) => ({ ...line, name: nameOf(line.name, index === 0 ? letter : '') }));
    const text = JSON.stringify({ ...basket, loyaltyId: loyaltyIdOf(at * 10), lines: named });
    const bytes = new Uint8Array(Buffer.from(text));
    const header = signatureHeader(SECRETS[1], NOW_SECONDS, bytes);
    return { text, bytes, header, calculationId: basket.calculationId };
  });
}

function nameOf(name: string, letter: string): string {
  return name.replace(/[^\x00-\x7f]/g, 'o') + letter;
}

/** The steps of the chain, each with everything before it that it needs. */
export interface Steps {
  readonly signature: (body: SignedBody) => unknown;
  readonly fingerprint: (body: SignedBody) => unknown;
  readonly read: (body: SignedBody) => unknown;
  readonly answer: (body: SignedBody) => unknown;
  readonly chain: (body: SignedBody) => unknown;
}

export const STEPS: Steps = {
  signature: verify,
  fingerprint: ({ bytes }) => fingerprintOf(bytes),
  read,
  answer,
  chain: (body) => {
    verify(body);
    fingerprintOf(body.bytes);
    const rendered = answer(body);
    return storedForm(rendered.digest, rendered.body);
  },
};

function verify({ header, bytes }: SignedBody): void {
  if (verifySignature(header, bytes, SECRETS, NOW_SECONDS) !== 'verified') throw new Error('the signature is right');
}

function read({ bytes, calculationId }: SignedBody): ReadCall {
  const read = readCall(environment, bytes, calculationId);
  if ('refusal' in read) throw new Error(read.refusal.message);
  return read;
}

function answer(body: SignedBody): RenderedAnswer {
  const { head, basket, venue } = read(body);
  const member = environment.findMember(venue.programme.programmeId, head.loyaltyId);
  if (!member) throw new Error('the member is known');
  const { rendered } = priceAnswer({ basket, venue, member, available: NOTHING_HELD });
  if (rendered.fault !== undefined || rendered.status !== 'applied') throw new Error('the basket gets a discount');
  return rendered;
}
