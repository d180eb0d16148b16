import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { priceBasket } from '../../../src/pricing/price.ts';
import { type Table, toText } from '../../report/table.ts';
import { describeMachine } from '../surroundings.ts';
import { expressGenome, type Genome } from './genome.ts';
import { measureCpu, type Progress, type Specimen, searchDearest } from './search.ts';

/** The search for the dearest basket on the command line. */

export interface DearestOptions {
  readonly seed: number;
  readonly seconds: number;
  /** A file with specimens to measure again; nothing is searched then. */
  readonly replay: string | undefined;
}

const REPORT_MS = 10_000;
const SHOWN = 12;
const REPLAYS = 20;

export function runDearest({ seed, seconds, replay }: DearestOptions): void {
  for (const text of describeMachine(1)) console.log(text);
  if (replay !== undefined) {
    const specimens = JSON.parse(readFileSync(replay, 'utf8')) as Specimen[];
    console.log(toText(describe('measured again', specimens.map(measureAgain))));
    return;
  }
  const begunMs = performance.now();
  let reportedMs = begunMs;
  const found = searchDearest(seed, (progress) => {
    const nowMs = performance.now();
    if (nowMs - reportedMs > REPORT_MS) {
      reportedMs = nowMs;
      console.log(sentence(progress, nowMs - begunMs));
    }
    return nowMs - begunMs > seconds * 1000;
  });
  const worst = found.worst.map(measureAgain).sort((a, b) => b.cost - a.cost);
  const folder = join(import.meta.dirname, '..', '..', 'results');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `dearest-${seed}.json`);
  writeFileSync(file, JSON.stringify(worst));
  console.log(`\n${toText(describe(`seed ${seed}, ${found.drawn} draws in ${seconds} s: the dearest`, worst))}`);
  console.log(`again: npm run bench:pricing -- dearest --replay ${file}`);
}

function sentence({ drawn, worst }: Progress, ms: number): string {
  const dearest = worst[0]?.cost ?? 0;
  return `${Math.round(ms / 1000)} s: ${drawn} draws, dearest ${dearest.toFixed(1)} ms, 24th ${worst.at(-1)?.cost.toFixed(1)} ms`;
}

/** The least of many runs is what it costs; their mean holds what the collector and the neighbours of the machine add. */
interface Measured extends Specimen {
  readonly meanMs: number;
}

function measureAgain(specimen: Specimen): Measured {
  const input = expressGenome(specimen.genome)!;
  measureCpu(input);
  const costs = Array.from({ length: REPLAYS }, () => measureCpu(input));
  return {
    ...specimen,
    cost: Math.min(...costs),
    meanMs: costs.reduce((sum, cost) => sum + cost, 0) / costs.length,
  };
}

function describe(title: string, worst: readonly Measured[]): Table {
  return {
    title,
    head: [
      'draw',
      'CPU-ms',
      'mean',
      'steps',
      'µs per step',
      'gap',
      'body',
      'lines',
      'units',
      'answer lines',
      'benefits',
    ],
    rows: worst.slice(0, SHOWN).map(({ genome, cost: cpuMs, meanMs, draw }) => {
      const input = expressGenome(genome)!;
      const decision = priceBasket({ ...input, trace: true });
      const steps = decision.trace?.steps ?? 0;
      return [
        String(draw),
        cpuMs.toFixed(2),
        meanMs.toFixed(2),
        String(steps),
        ((cpuMs * 1000) / steps).toFixed(2),
        String(decision.trace?.gap ?? 0),
        `${Math.ceil(JSON.stringify(input.basket).length / 1024)} KB`,
        String(genome.lines.length),
        String(Math.max(...genome.lines.map(({ quantity }) => quantity))),
        decision.status === 'applied' ? String(decision.lines.length) : decision.reason,
        kindsOf(genome),
      ];
    }),
  };
}

/** `112 bundle_price (limited 80, capped 3), 4 order_percent`. */
function kindsOf({ benefits }: Genome): string {
  const kinds = Map.groupBy(benefits, ({ kind }) => kind);
  return [...kinds]
    .map(([kind, own]) => {
      const count = (name: string, is: (benefit: Record<string, unknown>) => boolean): string[] => {
        const some = own.filter((benefit) => is(benefit as unknown as Record<string, unknown>)).length;
        return some > 0 ? [`${name} ${some}`] : [];
      };
      const options = [
        ...count('by items', ({ limit }) => (limit as { counts?: string } | undefined)?.counts === 'items'),
        ...count('by baskets', ({ limit }) => (limit as { counts?: string } | undefined)?.counts === 'baskets'),
        ...count('capped', ({ maximumDiscount }) => maximumDiscount !== undefined),
        ...count('exclusive', ({ exclusive }) => exclusive === true),
      ];
      return `${own.length} ${kind}${options.length > 0 ? ` (${options.join(', ')})` : ''}`;
    })
    .join(', ');
}
