import type { PricingContext } from '../calls/call.ts';
import { costEntryOf, rowsOf } from '../calls/cost-entry.ts';
import { eventFactsOf } from '../calls/event-facts.ts';
import { withoutMember } from '../programme/without-member.ts';
import { scanKeys } from '../redis/key-scan.ts';
import type { CountedSale } from '../store/completion.ts';
import { rewriteConfigurationFiles } from '../store/configuration-history.ts';
import { addCostsOnce } from '../store/cost-rows.ts';
import { type Erased, type Erasure, eraseMember } from '../store/erasure.ts';
import { type MemberToken, memberToken } from '../store/keys.ts';
import { readMerged } from '../store/merged.ts';
import { pseudonymOf } from '../store/pseudonyms.ts';
import { readClockScript } from '../store/scripts/environment.ts';
import type { Store } from '../store/store.ts';
import { completeDecision } from './resolve-conflict.ts';

/** The proof of an erasure, for the person who asked for it and for the file of whoever carried it out. */
export interface ErasureCertificate {
  readonly certificate: 'erasure of a member';
  readonly environment: string;
  readonly programmeId: string;
  /** The first 132 bits of SHA-256 over programme and loyalty ID, by which whoever knows the ID can tell that it is this one. */
  readonly loyaltyIdDigest: string;
  /** By which the member is named in events and audit lines, which stay. */
  readonly pseudonym: string;
  readonly erasedAt: string;
  readonly by: string;
  readonly erased: Erased & { readonly mergedLoyaltyIds: number };
  /** Keys of the member, and of those that were merged into it, that were found after the erasure: 0. */
  readonly remaining: number;
  readonly stays: string;
}

type Context = Pick<PricingContext, 'environment' | 'store'>;

const STAYS =
  'Events, audit lines, and sums of costs and vouchers stay, without the loyalty ID: the operations page, "What stays of an erased member", lists them. Copies of the database and files outside of the service are not covered.';

/**
 * Erases a member with the loyalty IDs that were merged into it and the configuration files of the past that name them, and looks
 * whether anything is left. A sale that its call has left uncounted is counted first. Safe to repeat, wherever it was interrupted.
 * Throws `StoreUnavailable`.
 */
export async function eraseWithCertificate(
  context: Context,
  { programmeId, loyaltyId, by }: { readonly programmeId: string; readonly loyaltyId: string; readonly by: string },
): Promise<Pick<Erasure, 'isCompleter'> & { readonly certificate: ErasureCertificate }> {
  const { environment, store } = context;
  const token = memberToken(programmeId, loyaltyId);
  const merged = await readMerged(store, token);
  // Before the member, because the loyalty IDs that were merged into it are forgotten with it.
  for (const id of [loyaltyId, ...merged.values()]) {
    // A file of earlier may have named the member.
    await rewriteConfigurationFiles(store, (text) => withoutMember(text, id));
  }
  const { erased, isCompleter } = await eraseMember(
    store,
    token,
    eventFactsOf(context),
    (sale) => countSale(context, sale),
    (decided) => completeDecision(context, decided),
  );
  const remaining = await countKeys(store, [token, ...merged.keys()]);
  const nowMs = await readClockScript(store.connection, { any: store.keys.member(token) }, {});
  const certificate: ErasureCertificate = {
    certificate: 'erasure of a member',
    environment: environment.name,
    programmeId,
    loyaltyIdDigest: token,
    pseudonym: await pseudonymOf(store, token),
    erasedAt: new Date(nowMs).toISOString(),
    by,
    erased: { ...erased, mergedLoyaltyIds: merged.size },
    remaining,
    stays: STAYS,
  };
  return { certificate, isCompleter };
}

async function countSale({ environment, store }: Context, { of, funders, bookedAtMs }: CountedSale): Promise<void> {
  const { costEntry } = costEntryOf(environment, 'sold', of, bookedAtMs, funders);
  if (costEntry) await addCostsOnce(store, `sold ${of?.calculationId}`, costEntry, rowsOf(costEntry));
}

async function countKeys({ connection, keys }: Store, members: readonly MemberToken[]): Promise<number> {
  let found = 0;
  for (const member of members) {
    for await (const page of scanKeys(connection, keys.everythingOf(member))) found += page.keys.length;
  }
  return found;
}
