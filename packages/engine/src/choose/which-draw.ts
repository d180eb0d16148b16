import type { DrawingOffer } from '../offers/offers.ts';
import type { Work } from '../work.ts';

/** Which of the offers draw that give the cheapest units: each of them as often as it can, or not at all. */

/** Of more offers not every choice is tried, and of more than so many not two change at once. */
const MOST_TRIED_ALL = 6;
const MOST_CHANGED_IN_PAIRS = 12;
/** Without any of them, and with all of them: the parts of the work that is left. */
const PART = { ofNone: 1 / 4, ofAll: 1 / 3 } as const;

/** A choice in minor units: what the basket costs, and what another one could save beyond it, with the same offers drawing. */
interface Priced {
  readonly total: number;
  readonly mostMissed: number;
}

/** The best choice of all that are tried, with what all others could save beyond it; `choose` says what follows where these draw. */
export function chooseDrawing<Chosen extends Priced>(
  offers: readonly DrawingOffer[],
  work: Work,
  choose: (drawing: readonly DrawingOffer[]) => Chosen | undefined,
): Chosen {
  let best: Chosen | undefined;
  let drawing: readonly DrawingOffer[] = [];
  let least = Number.POSITIVE_INFINITY;
  const tried = new Set<string>();
  const isEvery = offers.length <= MOST_TRIED_ALL;
  const count = 2 ** offers.length;
  /** True where the basket is cheaper than before. Of many lines and benefits on the order even to settle a choice takes much work. */
  const attempt = (own: readonly DrawingOffer[], part: number): boolean => {
    const name = own.map(({ benefit }) => benefit.ordinal).join();
    if (tried.has(name) || (best && work.left === 0)) return false;
    const share = isEvery ? Math.max(part, 1 / (count - tried.size)) : part;
    const found = work.within(work.left * share, () => choose(own));
    tried.add(name);
    if (!found) return false;
    least = Math.min(least, found.total - found.mostMissed);
    if (best && found.total >= best.total) return false;
    [best, drawing] = [found, own];
    return true;
  };
  attempt([], PART.ofNone);
  attempt(offers, PART.ofAll);
  // One more draws, or one less, or both, as long as that saves.
  const moves = movesOf(offers);
  for (let [at, left] = [0, moves.length]; left > 0; at++, left--) {
    const move = moves[at % moves.length]!;
    const own = offers.filter((offer) => drawing.includes(offer) !== move.includes(offer));
    if (attempt(own, isEvery ? 0 : 1 / left)) left = moves.length + 1;
  }
  if (isEvery) for (let bits = 0; bits < count; bits++) attempt(chosenBy(bits, offers), 0);
  if (!best) throw new Error('assertion failed: to take nothing is permitted');
  const isProven = tried.size === count;
  return { ...best, mostMissed: isProven ? Math.max(0, best.total - least) : Number.POSITIVE_INFINITY };
}

function chosenBy(bits: number, offers: readonly DrawingOffer[]): readonly DrawingOffer[] {
  return offers.filter((_, at) => bits & (1 << at));
}

function movesOf(offers: readonly DrawingOffer[]): (readonly DrawingOffer[])[] {
  const singles = offers.map((one) => [one]);
  if (offers.length > MOST_CHANGED_IN_PAIRS) return singles;
  return [...singles, ...offers.flatMap((one, at) => offers.slice(0, at).map((other) => [one, other]))];
}
