import type { BenefitDefinition } from '@loyalty/engine/definition';
import type { Environment } from '../programme/environment.ts';
import { unpackConfiguration } from '../programme/packed.ts';
import { readKeptConfiguration } from '../store/configurations.ts';
import type { Store } from '../store/store.ts';

/** Who pays for benefits, by their IDs. */
export type Funders = ReadonlyMap<string, string>;

type Programmes = Environment['wording']['programmes'];

const NOBODY: Funders = new Map();

/** What was found of configurations of earlier, by their versions: few, because most sales come minutes after their answers. */
const known = new Map<string, Promise<Programmes | undefined>>();
const MOST_KNOWN = 16;

/**
 * Who paid for the benefits of a programme by a configuration; nobody where it is not kept any more. A sale may come after a reload, so
 * the configuration of another version is read, once in a process. Throws `StoreUnavailable`.
 */
export async function fundersOf(
  { environment, store }: { readonly environment: Environment; readonly store: Store },
  version: string | undefined,
  programmeId: string,
): Promise<Funders> {
  if (version === undefined) return NOBODY;
  const isInForce = version === environment.version;
  const programmes = isInForce ? environment.wording.programmes : await programmesOf(store, version);
  const programme = programmes?.find((other) => other.programmeId === programmeId);
  const benefits = (programme?.benefits ?? []) as Pick<BenefitDefinition, 'benefitId' | 'fundedBy'>[];
  return new Map(
    benefits.flatMap(({ benefitId, fundedBy }) => (fundedBy === undefined ? [] : [[benefitId, fundedBy] as const])),
  );
}

function programmesOf(store: Store, version: string): Promise<Programmes | undefined> {
  const found = known.get(version);
  if (found) return found;
  const read = readProgrammes(store, version);
  known.set(version, read);
  // What could not be read is asked for again.
  read.catch(() => known.delete(version));
  for (const oldest of known.keys()) if (known.size > MOST_KNOWN) known.delete(oldest);
  return read;
}

async function readProgrammes(store: Store, version: string): Promise<Programmes | undefined> {
  const packed = await readKeptConfiguration(store, version);
  if (!packed) return undefined;
  const { file } = await unpackConfiguration(packed);
  return file.programmes;
}
