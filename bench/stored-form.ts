/**
 * `.toolchain/bin/node --min-semi-space-size=32 --max-semi-space-size=32 bench/stored-form.ts`: storing an answer and giving
 * it again, as a digest and deflated, in CPU-µs of one thread and in bytes; no Redis. See docs/measurements/service.md.
 */
import { readBasketRequest } from '@loyalty/contract/basket/basket-request';
import { priceAnswer } from '../src/calls/answer.ts';
import { ByteReader } from '../src/calls/stored/bytes.ts';
import { decodeContent } from '../src/calls/stored/decode.ts';
import { encodeContent } from '../src/calls/stored/encode.ts';
import { replayAnswer, storedForm } from '../src/calls/stored/stored-answer.ts';
import { loadEnvironment } from '../src/programme/load.ts';
import { packAnswer, unpackAnswer } from './contestants/deflated.ts';
import { createBaskets } from './load/baskets.ts';
import { benchConfiguration } from './machine/configuration.ts';
import { figuresOf, measureInTurns } from './pricing/measure.ts';
import { showSpread } from './report/spread.ts';
import { toText } from './report/table.ts';

const SIZES = [5, 20, 40, 80, 200] as const;
const BASKETS = 16;
const TURNS = { rounds: 5, turnsPerRound: 10, cpuMs: 10, batch: BASKETS } as const;

const environment = loadEnvironment(JSON.stringify(benchConfiguration()), 'bench');
const venue = environment.findVenue('bench-venue', '500123')!;
const member = environment.members.find(({ grants }) => grants.length === 0)!;

interface Sample {
  readonly request: Buffer;
  readonly answer: Buffer;
  readonly digest: Buffer;
  readonly digestForm: Buffer;
  readonly deflated: Buffer;
}

const rows: string[][] = [];
for (const lines of SIZES) rows.push(...(await measure(lines)));
console.log(
  toText({
    title: `storing an answer and giving it again: CPU-µs, best … worst of ${TURNS.rounds} rounds`,
    head: ['lines', 'bytes of request, answer', 'step', 'CPU-µs', 'bytes stored'],
    rows,
  }),
);

function sampleOf(request: Buffer): Sample {
  const read = readBasketRequest(request, undefined);
  if (!read.ok) throw new Error('assertion failed: the benchmark sends baskets');
  const basket = read.value;
  const { body, digest, fault } = priceAnswer({ basket, member, venue, available: new Map() }).rendered;
  if (fault !== undefined) throw new Error(fault.field);
  const answer = Buffer.from(body);
  return { request, answer, digest, digestForm: storedForm(digest, answer), deflated: packAnswer(answer, request) };
}

async function measure(lines: number): Promise<string[][]> {
  const samples = createBaskets(BASKETS, lines, 1).map((basket) => sampleOf(Buffer.from(JSON.stringify(basket))));
  const contents = samples.map(({ digest }) => decodeContent(new ByteReader(digest)));
  const of = (turn: number) => samples[turn % BASKETS]!;
  const contenders: [string, (turn: number) => unknown, number?][] = [
    ['JSON.parse of the request', (turn) => JSON.parse(of(turn).request.toString('latin1'))],
    [
      'digest: encode, check',
      (turn) => storedForm(encodeContent(contents[turn % BASKETS]!), of(turn).answer),
      mean(samples.map(({ digestForm: form }) => form.length)),
    ],
    ['digest: decode', (turn) => decodeContent(new ByteReader(of(turn).digest))],
    [
      'deflate',
      (turn) => packAnswer(of(turn).answer, of(turn).request),
      mean(samples.map(({ deflated }) => deflated.length)),
    ],
    ['replay of the digest', (turn) => replayAnswer(of(turn).digestForm, of(turn).request)],
    ['replay by inflate', (turn) => unpackAnswer(of(turn).deflated, of(turn).request)],
  ];
  const figures = await measureInTurns(
    contenders.map(([name, run]) => ({ name, run })),
    TURNS,
  );
  const size = `${mean(samples.map(({ request }) => request.length))}, ${mean(samples.map(({ answer }) => answer.length))}`;
  return contenders.map(([name, , bytes], at) => [
    ...(at === 0 ? [String(lines), size] : ['', '']),
    ...[name, showSpread(figuresOf(figures, name)), bytes === undefined ? '' : String(bytes)],
  ]);
}

function mean(values: readonly number[]): number {
  return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
}
