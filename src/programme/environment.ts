import { compileProgramme } from '@loyalty/engine/compile/compile';
import type { Programme } from '@loyalty/engine/compile/programme';
import type { ProgrammeDefinition } from '@loyalty/engine/definition';
import type { Member, Product, Venue } from '@loyalty/engine/types';
import type { ClockWindow } from './clock-window.ts';
import type { SoundFile } from './judge.ts';
import type { EnvironmentFile, VenueEntry } from './schema.ts';

/** An environment: the whole configuration, checked and compiled once, swapped as a whole on reload. */
export interface Environment {
  /** As the company calls it: `production`, `staging`, `staging-team-b`. */
  readonly name: string;
  /** Short hash of the text; of several files, of their names and texts. */
  readonly version: string;
  /** Requests per second and bucket capacity, per environment across all processes. */
  readonly rateLimit: { readonly sustained: number; readonly burst: number };
  readonly calculation: {
    readonly holdMs: number;
    readonly idempotencyMs: number;
    readonly retentionMs: number;
    /** A sold calculation is kept for so long after its sale; at least the retention. */
    readonly soldMs: number;
  };
  readonly latencyBudget: { readonly p95Ms: number; readonly p99Ms: number; readonly deadlineMs: number };
  /** Undefined when every `requestedAt` is accepted. */
  readonly clockWindow: ClockWindow | undefined;
  /** Events of sales carry the lines. */
  readonly hasEventLines: boolean;
  readonly venues: readonly Venue[];
  /** Compiled for no language; a venue has its programme in its own, so compare programmes by their ID. */
  readonly programmes: readonly Programme[];
  readonly members: readonly Member[];
  /** Loyalty IDs whose clock may be moved for a test, in whatever programme; none in production. */
  readonly testMembers: readonly string[];
  /** The venue with this venue id and this terminal-setup number; both must match. */
  findVenue(venueId: string, baxId: string): Venue | undefined;
  /** A member in the file; all other members are in Redis alone. */
  findMember(programmeId: string, loyaltyId: string): Member | undefined;
  /** Venues, programmes and the window of `requestedAt` as written in the file, for people to read. */
  readonly wording: Pick<EnvironmentFile, 'venues' | 'programmes' | 'requestedAt'>;
}

const MS_PER_MINUTE = 60_000;
const MS_PER_HOUR = 3_600_000;
const MS_PER_DAY = 86_400_000;

/** An environment's files, read and found without faults. Plain data, which another thread can take over and compile. */
export interface CheckedEnvironment {
  readonly file: SoundFile;
  readonly version: string;
}

/** Compiles an environment. Loads neither the readers nor the checks of its files. */
export function compileEnvironment({ file, version }: CheckedEnvironment): Environment {
  const { rateLimit, latencyBudget } = file;
  const findProgramme = programmeFinder(file);
  const venues = file.venues.map((entry) => compileVenue(entry, findProgramme));
  const byTerminalSetup = new Map<string, Venue>();
  for (const venue of venues) for (const baxId of venue.terminalSetups) byTerminalSetup.set(baxId, venue);

  const members = (file.members ?? []).map((entry) => ({ ...entry, grants: entry.grants ?? [] }) as Member);
  const byName = new Map(members.map((member) => [nameOf(member.programmeId, member.loyaltyId), member]));

  return {
    name: file.environment,
    version,
    rateLimit,
    calculation: durationsOf(file),
    latencyBudget: { p95Ms: latencyBudget.p95, p99Ms: latencyBudget.p99, deadlineMs: latencyBudget.deadline },
    hasEventLines: file.events?.lines ?? true,
    clockWindow: file.requestedAt && {
      pastMs: wholeMs(file.requestedAt.pastHours * MS_PER_HOUR),
      aheadMs: wholeMs(file.requestedAt.aheadMinutes * MS_PER_MINUTE),
    },
    venues,
    programmes: file.programmes.map(({ programmeId }) => findProgramme(programmeId)),
    members,
    testMembers: file.testMembers ?? [],
    wording: {
      venues: file.venues,
      programmes: file.programmes,
      ...(file.requestedAt && { requestedAt: file.requestedAt }),
    },
    findVenue(venueId, baxId) {
      const venue = byTerminalSetup.get(baxId);
      return venue?.venueId === venueId ? venue : undefined;
    },
    findMember: (programmeId, loyaltyId) => byName.get(nameOf(programmeId, loyaltyId)),
  };
}

function durationsOf({ calculation, returns }: SoundFile): Environment['calculation'] {
  return {
    holdMs: wholeMs(calculation.holdMinutes * MS_PER_MINUTE),
    idempotencyMs: wholeMs(calculation.idempotencyHours * MS_PER_HOUR),
    retentionMs: wholeMs(calculation.retentionDays * MS_PER_DAY),
    soldMs: wholeMs(Math.max(calculation.retentionDays, returns.days) * MS_PER_DAY),
  };
}

/** The blank separates the two names unambiguously, because a programme ID has none. */
function nameOf(programmeId: string, loyaltyId: string): string {
  return `${programmeId} ${loyaltyId}`;
}

/** Rounds to whole milliseconds, at least 1, because Redis refuses an expiry of 0. */
function wholeMs(durationMs: number): number {
  return Math.max(1, Math.round(durationMs));
}

/** Finds the programmes of a file in a language: each is compiled once, or once for each language if it has texts by language. */
function programmeFinder({ programmes }: SoundFile): (programmeId: string, language?: string) => Programme {
  const definitions = new Map(
    (programmes as readonly unknown[] as ProgrammeDefinition[]).map((own) => [own.programmeId, own]),
  );
  const compiled = new Map<string, Programme>();
  return (programmeId, language) => {
    const definition = definitions.get(programmeId)!;
    const own = hasLanguages(definition) ? language : undefined;
    const key = nameOf(programmeId, own ?? '');
    const programme = compiled.get(key) ?? compileProgramme(definition, own);
    compiled.set(key, programme);
    return programme;
  };
}

function hasLanguages({ memberLabel, benefits = [] }: ProgrammeDefinition): boolean {
  return [memberLabel, ...benefits.map(({ text }) => text)].some((texts) => typeof texts === 'object');
}

function compileVenue(entry: VenueEntry, findProgramme: ReturnType<typeof programmeFinder>): Venue {
  const { programmeId, language, products = [], ...venue } = entry;
  return {
    ...venue,
    programme: findProgramme(programmeId, language),
    products: new Map(products.map((product) => [product.productId, product as Product])),
  };
}
