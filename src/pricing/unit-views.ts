import type { LineFacts } from './lines.ts';
import { type Family, type Matches, type ModifiedUnits, matchedLines, WORD_MASK, WORD_SHIFT } from './matching.ts';
import { APART, absorbedLine, joinLines } from './modified-line.ts';
import { isAt, isLimited, type LineOffer, lineListKey, type Offer } from './offers.ts';
import { choosePlain, isPlain, type PlainChoice } from './plain.ts';
import type { ExistingLineDiscounts } from './policy.ts';
import type { Selector } from './selector.ts';
import { COST, type Work } from './work.ts';

/**
 * Where benefits count units with their modifiers and others see the same lines one by one, a combination says first which
 * lines stand together (README.md, Units with modifiers). Each way is a view, which is searched by itself.
 */
export interface UnitView {
  readonly selection: readonly Offer[];
  readonly lines: readonly LineFacts[];
}

export interface UnitViews {
  readonly views: readonly UnitView[];
  /** False when there are more ways than are searched. */
  readonly isComplete: boolean;
}

/**
 * A view of a basket for so many steps is searched, with the usual steps 24, of large baskets fewer: each has its share of the
 * steps, by the pairs of an offer and a line.
 */
const STEPS_PER_VIEW = 116;
const MIN_VIEWS = 1;
const PAIRS_PER_STEP = 8;
/** Of families that share lines so many are told apart. */
const MAX_OVERLAPPING = 16;

/** Lines that stand together, the head first, and the selectors that see them so. */
interface Lines {
  readonly lines: readonly number[];
  readonly selectors: Set<number>;
}

interface Joined extends Lines {
  /** In the view in which they stand together its lines by themselves are one more choice, which leaves none out. */
  readonly isApartToo: boolean;
}

/** The views of the lines that matter to these offers. */
export function unitViews(
  selection: readonly Offer[],
  lines: readonly LineFacts[],
  policy: ExistingLineDiscounts,
  work: Work,
): UnitViews {
  const modified = selection[0]?.matches.modified;
  if (!modified) return { views: [{ selection, lines }], isComplete: true };
  const offers = selection.filter(takesUnits);
  // Some offers have sets of lines behind those of all others.
  const matches = selection.reduce(
    (most, own) => (own.matches.bits.length > most.bits.length ? own.matches : most),
    selection[0]!.matches,
  );
  const ids = offers.flatMap(({ benefit }) => benefit.selectors.map(({ id }) => id));
  work.count(ids.length * (lines.length + matches.words) * COST.listedLine + matches.bits.length * COST.copiedWord);
  const bare = withoutModified(ids, matches, modified);
  const joinedOf = ({ lines: [head, ...modifiers] }: Lines): LineFacts =>
    joinLines(
      lines[head!]!,
      modifiers.map((line) => lines[line]!),
      policy,
      undefined,
    );
  // Where its head may not be discounted, a unit takes no part in anything.
  const families = joinedBy(ids, modified.families).filter((own) => joinedOf(own).isOpen);
  const aloneTo = offersByLine(offers, bare);
  const hasEvenOrders = areOrdersEven(selection);
  const maximumViews = Math.max(MIN_VIEWS, Math.floor(work.maximumSteps / STEPS_PER_VIEW));
  let isComplete = true;
  const choices = clustersOf(families, lines.length).map((cluster) => {
    const described = cluster.slice(0, MAX_OVERLAPPING).map((own): Joined => {
      const isFreeAlone = own.lines.every((line) => aloneTo[line]?.every(isFree) ?? true);
      return {
        ...own,
        isApartToo:
          cluster.length === 1 && isFreeAlone && hasEvenOrders(own.lines) && joinedOf(own).isOpenToLineBenefits,
      };
    });
    const isSeenAlone = described.some((own) => !own.isApartToo && own.lines.some((line) => aloneTo[line]));
    const ways = waysOf(described, isSeenAlone, maximumViews);
    isComplete &&= cluster.length <= MAX_OVERLAPPING && ways.length <= maximumViews;
    return ways.slice(0, maximumViews);
  });
  const affordable = Math.floor((work.left * PAIRS_PER_STEP) / (1 + offers.length * lines.length));
  const combined = combine(choices, Math.min(maximumViews, Math.max(MIN_VIEWS, affordable)));
  const ofOne = (lines.length + ids.length * bare.words) * COST.listedLine + bare.bits.length * COST.copiedWord;
  work.count(combined.ways.length * ofOne);
  const free = offers.filter(isFree).map((offer) => ({ ...offer, matches: bare }));
  const apart = choosePlain(free, lines, policy, work);
  const views = combined.ways.map((way) => viewOf(way, selection, lines, { bare, ids }, policy, apart));
  return { views, isComplete: isComplete && combined.isComplete && apart.isComplete };
}

/** Every combination of a choice each; where those are too many, all first ones, all last ones, and the first ones but for one. */
function combine(
  choices: readonly (readonly (readonly Joined[])[])[],
  most: number,
): { ways: Joined[][]; isComplete: boolean } {
  const count = choices.reduce((product, { length }) => product * length, 1);
  if (count <= most) {
    let ways: Joined[][] = [[]];
    for (const own of choices) ways = own.flatMap((more) => ways.map((way) => [...way, ...more]));
    return { ways, isComplete: true };
  }
  const ways = [choices.flatMap((own) => own[0]!), choices.flatMap((own) => own.at(-1)!)];
  for (const [at, own] of choices.entries()) {
    if (ways.length >= most) break;
    for (const other of own.slice(1)) ways.push(choices.flatMap((each, n) => (n === at ? other : each[0]!)));
  }
  return { ways: ways.slice(0, most), isComplete: false };
}

/** A benefit of single lines that nothing limits: each line chooses for itself. */
function isFree(offer: Offer): offer is LineOffer {
  const { benefit, groups } = offer;
  return (
    isAt(offer, 'line') && isPlain(offer) && !isLimited(offer) && groups.length === 0 && benefit.minimumSaving === 0
  );
}

/** Per line the offers that see it as a unit by itself. */
function offersByLine(offers: readonly Offer[], bare: Matches): Offer[][] {
  const byLine: Offer[][] = [];
  for (const offer of offers) {
    for (const selector of offer.benefit.selectors) {
      for (const line of matchedLines(bare, selector)) {
        byLine[line] ??= [];
        byLine[line].push(offer);
      }
    }
  }
  return byLine;
}

/** Tells whether the benefits on the order see all of some lines or none, and every one of them the same lines. */
function areOrdersEven(selection: readonly Offer[]): (own: readonly number[]) => boolean {
  const orders = selection.filter((offer) => isAt(offer, 'order'));
  const [first] = orders;
  if (!first) return () => true;
  const isUneven = new Set(orders.map((offer) => lineListKey(offer, 0))).size > 1;
  // With a minimum on what lines cost in the end a line may better keep its price.
  if (isUneven || orders.some(({ benefit }) => benefit.netMinimum > 0)) return () => false;
  const touched = new Set(matchedLines(first.matches, first.benefit.selectors[0]!));
  return (own) => own.every((line) => touched.has(line) === touched.has(own[0]!));
}

/** Benefits on the order see lines, and gifts touch none. */
function takesUnits({ benefit: { level } }: Offer): boolean {
  return level !== 'order' && level !== 'gift';
}

/** The matches without lines that stand in units with others. */
function withoutModified(ids: readonly number[], matches: Matches, { families, isAttached }: ModifiedUnits): Matches {
  const bits = matches.bits.slice();
  for (const id of ids) {
    for (const { head } of families.get(id) ?? []) setBit(bits, matches, id, head, false);
    isAttached.get(id)?.forEach((attached, line) => {
      if (attached) setBit(bits, matches, id, line, false);
    });
  }
  return { words: matches.words, bits, named: matches.named, modified: undefined };
}

function setBit(bits: number[], { words }: Pick<Matches, 'words'>, id: number, line: number, isSet: boolean): void {
  const at = id * words + (line >> WORD_SHIFT);
  const bit = 1 << (line & WORD_MASK);
  bits[at] = isSet ? bits[at]! | bit : bits[at]! & ~bit;
}

function joinedBy(ids: readonly number[], families: ReadonlyMap<number, readonly Family[]>): Lines[] {
  const byLines = new Map<string, Lines>();
  for (const id of ids) {
    for (const { head, modifiers } of families.get(id) ?? []) {
      const own = [head, ...modifiers];
      const key = own.join();
      const known = byLines.get(key);
      if (known) known.selectors.add(id);
      else byLines.set(key, { lines: own, selectors: new Set([id]) });
    }
  }
  return [...byLines.values()];
}

/** Families that share lines, so that not all of them can stand together at once. */
function clustersOf(families: readonly Lines[], count: number): Lines[][] {
  const leader = Array.from({ length: count }, (_, line) => line);
  const find = (line: number): number => {
    let at = line;
    while (leader[at] !== at) at = leader[at] = leader[leader[at]!]!;
    return at;
  };
  for (const { lines } of families) for (const line of lines) leader[find(line)] = find(lines[0]!);
  return [...Map.groupBy(families, ({ lines }) => find(lines[0]!)).values()];
}

function overlap(a: Lines, b: Lines): boolean {
  return a.lines.some((line) => b.lines.includes(line));
}

/** The ways to choose families that share no line: where nothing sees their lines alone, only those that leave none out. */
function waysOf(cluster: readonly Joined[], isSeenAlone: boolean, maximumViews: number): Joined[][] {
  let ways: Joined[][] = [[]];
  for (const family of cluster) {
    const more = ways.flatMap((way) => (way.some((other) => overlap(family, other)) ? [] : [[...way, family]]));
    ways = [...more, ...ways].slice(0, maximumViews * maximumViews);
  }
  if (isSeenAlone) return ways;
  return ways.filter((way) =>
    cluster.every((family) => way.some((other) => other === family || overlap(family, other))),
  );
}

/** The lines with some of them joined, and the offers as they see those. */
function viewOf(
  way: readonly Joined[],
  selection: readonly Offer[],
  lines: readonly LineFacts[],
  { bare, ids }: { readonly bare: Matches; readonly ids: readonly number[] },
  policy: ExistingLineDiscounts,
  plain: PlainChoice,
): UnitView {
  const seen = [...lines];
  const { words } = bare;
  const taken = new Array<number>(words).fill(0);
  for (const own of way) for (const line of own.lines) setBit(taken, bare, 0, line, true);
  const bits = bare.bits.slice();
  for (const id of ids) for (let word = 0; word < words; word++) bits[id * words + word]! &= ~taken[word]!;
  const matches = { ...bare, bits };
  const offers = selection.map((offer) => (takesUnits(offer) ? { ...offer, matches } : offer));
  const asSeen = new Map(offers.map((offer) => [offer.benefit, offer as LineOffer]));
  const heads: number[] = [];
  for (const { lines: own, selectors } of way) {
    const [head, ...modifiers] = own as [number, ...number[]];
    for (const id of selectors) setBit(bits, bare, id, head, true);
    const saving = own.reduce((sum, line) => sum + plain.savings[line]!, 0);
    const chosen = own.map((line) => plain.offers[line] && asSeen.get(plain.offers[line].benefit));
    const apart = saving > 0 ? { offers: chosen, saving } : undefined;
    if (apart) heads.push(head);
    const below = modifiers.map((line) => lines[line]!);
    seen[head] = joinLines(lines[head]!, below, policy, apart);
    for (const line of modifiers) seen[line] = absorbedLine(lines[line]!);
  }
  return {
    lines: way.length === 0 ? lines : seen,
    selection: heads.length === 0 ? offers : [...offers, apartOffer(heads, words, selection)],
  };
}

/** The benefits of lines by themselves as an offer of the units whose lines they are. */
function apartOffer(heads: readonly number[], words: number, selection: readonly Offer[]): LineOffer {
  const bits = new Array<number>(words).fill(0);
  const matches: Matches = { words, bits, named: [], modified: undefined };
  for (const head of heads) setBit(bits, matches, 0, head, true);
  const [{ benefit }] = selection as [Offer];
  const selector: Selector = {
    ...benefit.selectors[0]!,
    id: 0,
    excluded: [],
    isPercentage: false,
    namesEverything: false,
    includesModifiers: false,
  };
  const scaleNumber = 1 + Math.max(...selection.map((offer) => offer.benefit.scaleNumber));
  const ordinal = 1 + Math.max(...selection.map((offer) => offer.benefit.ordinal));
  return {
    benefit: {
      ...benefit,
      ordinal,
      scaleNumber,
      benefitId: '',
      rule: APART,
      level: 'line',
      selectors: [selector],
      minimumSaving: 0,
      group: undefined,
      priority: Number.MIN_SAFE_INTEGER,
    },
    matches,
    use: undefined,
    grant: undefined,
    pool: undefined,
    groups: [],
    items: Number.POSITIVE_INFINITY,
    mostDiscount: Number.POSITIVE_INFINITY,
    times: 1,
  };
}
