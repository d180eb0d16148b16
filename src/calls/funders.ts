import type { BenefitDefinition } from '@loyalty/engine/definition';
import type { Environment } from '../programme/environment.ts';
import { unpackConfiguration } from '../programme/packed.ts';
import { type Funders, NOBODY } from '../store/calculation-events.ts';
import { readKeptConfiguration } from '../store/configurations.ts';
import type { Store } from '../store/store.ts';
import type { StoredCalculation } from '../store/stored-calculation.ts';
import { configurationOf } from './stored/kept-basket.ts';

type Programmes = Environment['wording']['programmes'];

/** What was found of configurations of earlier, by their versions: few, because most sales come minutes after their answers. */
const known = new Map<string, Promise<Programmes | undefined>>();
const MOST_KNOWN = 16;

/**
 * Who pays for the benefits of a calculation, in costs and in events: by the configuration that priced it, which is read once in a process
 * where it is not in force any more, and by the one in force where the basket is too large to be kept. Nobody, where that configuration is
 * not kept any more. Throws `StoreUnavailable`.
 */
export async function readFunders(
  { environment, store }: { readonly environment: Environment; readonly store: Store },
  { basket, given }: Pick<StoredCalculation, 'basket' | 'given'>,
): Promise<Funders> {
  if (!given) return NOBODY;
  const { programmeId } = given;
  const version = (basket && configurationOf(basket)) ?? environment.version;
  const isInForce = version === environment.version;
  const programmes = isInForce ? environment.wording.programmes : await programmesOf(store, version);
  const programme = programmes?.find((other) => other.programmeId === programmeId);
  return programme ? listFunders(programme) : NOBODY;
}

const listed = new WeakMap<Programmes[number], Funders>();

function listFunders(programme: Programmes[number]): Funders {
  const benefits = programme.benefits as Pick<BenefitDefinition, 'benefitId' | 'fundedBy'>[];
  const funders =
    listed.get(programme) ??
    new Map(
      benefits.flatMap(({ benefitId, fundedBy }) => (fundedBy === undefined ? [] : [[benefitId, fundedBy] as const])),
    );
  listed.set(programme, funders);
  return funders;
}

function programmesOf(store: Store, version: string): Promise<Programmes | undefined> {
  const found = known.get(version);
  if (found) return found;
  const read = readProgrammes(store, version);
  known.set(version, read);
  // What could not be read is asked for again, and so is what is not there: the primary may not have kept it yet.
  read.then(
    (programmes) => programmes ?? known.delete(version),
    () => known.delete(version),
  );
  for (const oldest of known.keys()) if (known.size > MOST_KNOWN) known.delete(oldest);
  return read;
}

async function readProgrammes(store: Store, version: string): Promise<Programmes | undefined> {
  const packed = await readKeptConfiguration(store, version);
  if (!packed) return undefined;
  const { file } = await unpackConfiguration(packed);
  return file.programmes;
}
