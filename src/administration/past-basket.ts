import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { BasketResponse } from '@loyalty/contract/basket-response';
import type { Venue } from '@loyalty/engine/types';
import type { PricingContext } from '../calls/call.ts';
import { type RestoredBasket, restoreKeptBasket } from '../calls/stored/kept-basket.ts';
import { compileEnvironment, type Environment } from '../programme/environment.ts';
import { unpackConfiguration } from '../programme/packed.ts';
import { countersAsUsed } from '../store/common-limits.ts';
import { readKeptConfiguration } from '../store/configurations.ts';
import type { MemberSnapshot } from '../store/members.ts';
import type { StoredCalculation } from '../store/stored-calculation.ts';
import { type Explanation, explainPrice } from './dry-run.ts';
import { circumstancesOf, type PastCircumstances } from './past-circumstances.ts';

/** A past basket, priced again by the configuration, the member and the limits of its time. */
export interface PastBasket {
  /** As it was asked about. Its lines are named after the venue's products of that time. */
  readonly basket: PastRequest;
  readonly response: BasketResponse;
  readonly explanation: Explanation;
  /** Texts of the benefits of that time, by benefitId. */
  readonly texts: Readonly<Record<string, string>>;
  /** True when status and total are those of the answer that was given. */
  readonly isSame: boolean;
  readonly circumstances: PastCircumstances;
}

/** A request without the member, who is not kept; nor is the till in what an earlier version has kept. */
type PastRequest = Omit<BasketRequest, 'loyaltyId' | 'context'> & {
  readonly context: Omit<BasketRequest['context'], 'cashRegisterId'> & { readonly cashRegisterId?: string };
};

/**
 * Explains a calculation from what is kept of it. Only the configuration is read, if another one priced it. Returns a sentence where that
 * is impossible. Throws `StoreUnavailable`.
 */
export async function explainPast(context: PricingContext, stored: StoredCalculation): Promise<PastBasket | string> {
  const { status, total, answeredAtMs } = stored;
  const past = await recall(context, stored);
  if (typeof past === 'string') return past;
  const { kept, environment, venue, basket } = past;
  const { repairDir } = context;
  const asked = { basket, atGiven: false, mismatch: undefined };
  const snapshot = snapshotOf(kept, venue, answeredAtMs);
  const explained = explainPrice({ environment, repairDir }, asked, venue, snapshot, countersAsUsed(kept.used));
  if (explained.kind === 'refusal') return `It cannot be priced again: ${explained.refusal.message}`;
  const { response, explanation } = explained;
  const texts = venue.programme.benefits.map(({ benefitId, text }) => [benefitId, text ?? benefitId] as const);
  const isSame = response.status === status && explanation.totalAfter === (total ?? explanation.totalAfter);
  return {
    basket: keptPartOf(basket),
    response,
    explanation,
    texts: Object.fromEntries(texts),
    isSame,
    circumstances: circumstancesOf(kept, stored, explanation.limits, venue),
  };
}

function keptPartOf({ loyaltyId: _, context, ...request }: BasketRequest): PastRequest {
  const { cashRegisterId, ...others } = context;
  return { ...request, context: cashRegisterId === '' ? others : context };
}

/** What is kept of a basket, with the configuration and the venue that priced it. */
export interface Recalled {
  readonly kept: RestoredBasket;
  readonly environment: Environment;
  readonly venue: Venue;
  /** As it was asked about; its lines are named after the venue's products of that time. */
  readonly basket: BasketRequest;
}

/** Recalls the basket of a calculation, or says in a sentence why not. Throws `StoreUnavailable`. */
export async function recall(
  context: PricingContext,
  { calculationId, venueId = '', basket: bytes }: StoredCalculation,
): Promise<Recalled | string> {
  if (!bytes) return 'Nothing is kept of its lines.';
  const kept = restoreKeptBasket(bytes);
  if (typeof kept === 'string') return kept;
  const environment = await findEnvironment(context, kept.configuration);
  if (typeof environment === 'string') return environment;
  const venue = environment.findVenue(venueId, kept.basket.context.baxId);
  if (!venue) return `The configuration ${kept.configuration} does not know its venue.`;
  const lines = kept.basket.lines.map((line) => ({
    ...line,
    name: venue.products.get(line.productId)?.name ?? line.name,
  }));
  const place = { ...kept.basket.context, venueId };
  const { discountCode } = venue.programme;
  const orderDiscounts = kept.basket.orderDiscounts.map((discount) =>
    discount.discountCode === undefined ? discount : { ...discount, discountCode },
  );
  return { kept, environment, venue, basket: { ...kept.basket, calculationId, context: place, lines, orderDiscounts } };
}

/** The configuration of a version, or a sentence that says why there is none. Throws `StoreUnavailable`. */
async function findEnvironment({ environment, store }: PricingContext, version: string): Promise<Environment | string> {
  if (environment.version === version) return environment;
  const packed = await readKeptConfiguration(store, version);
  if (!packed) return `The configuration ${version}, which priced it, is not kept any more.`;
  try {
    return compileEnvironment(await unpackConfiguration(packed));
  } catch (error) {
    return `The configuration ${version}, which priced it, cannot be read: ${(error as Error).message}.`;
  }
}

/** The member as it was; its holds are among the used units. */
export function snapshotOf({ member, used, movedMs = 0 }: RestoredBasket, venue: Venue, nowMs = 0): MemberSnapshot {
  const { programmeId } = venue.programme;
  return {
    nowMs,
    movedMs,
    member: member && { programmeId, loyaltyId: '', ...member },
    consumed: used,
    holds: [],
  };
}
