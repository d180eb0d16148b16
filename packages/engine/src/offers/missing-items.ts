/** The units that a bundle lacks, where its items may have some lines in common: each unit fills one item. */

export interface BundleItem {
  readonly quantity: number;
  /** The lines that it may have, by their places. */
  readonly own: readonly number[];
}

export interface ShortItem {
  /** The units that it lacks however the others are filled. */
  readonly alone: number;
  /** The units that it lacks because others have them, and those others and itself: a unit for any of them would do. */
  readonly shared: number;
  readonly rivals: readonly number[];
}

/** Fills the items so that as few units as possible are missing. `unitsOf` is how many a line has. */
export function shortItems(items: readonly BundleItem[], unitsOf: (line: number) => number): ShortItem[] {
  const free = new Map(items.flatMap(({ own }) => own.map((line) => [line, unitsOf(line)])));
  const held = items.map(() => new Map<number, number>());
  const of = (units: Map<number, number>, line: number) => units.get(line) ?? 0;
  /** Gives an item up to so many units more: free ones, and those of others that get other units for them. */
  const give = (item: number, wanted: number, asked: Set<number>): number => {
    let given = 0;
    for (const line of items[item]!.own) {
      if (asked.has(line)) continue;
      asked.add(line);
      const move = (from: Map<number, number>, units: number) => {
        from.set(line, of(from, line) - units);
        held[item]!.set(line, of(held[item]!, line) + units);
        given += units;
      };
      move(free, Math.min(of(free, line), wanted - given));
      for (const [other, own] of held.entries()) {
        const most = other === item ? 0 : Math.min(of(own, line), wanted - given);
        if (most > 0) move(own, give(other, most, asked));
      }
    }
    return given;
  };
  // An item that may have few lines is filled first: what is missing is then of one that may have more.
  const order = [...items.keys()].sort((one, other) => items[one]!.own.length - items[other]!.own.length);
  const missing = items.map(({ quantity }) => quantity);
  for (const item of order) {
    for (let given = -1; given !== 0; missing[item]! -= given) given = give(item, missing[item]!, new Set());
  }
  return items.map(({ quantity, own }, item) => {
    const alone = Math.max(0, quantity - own.reduce((units, line) => units + unitsOf(line), 0));
    return { alone, shared: missing[item]! - alone, rivals: rivalsOf(item, items, held) };
  });
}

/** An item, those that have units which it may have too, those that have units which these may have, and so on. */
function rivalsOf(item: number, items: readonly BundleItem[], held: readonly ReadonlyMap<number, number>[]): number[] {
  const rivals = new Set([item]);
  for (const rival of rivals) {
    for (const [other, units] of held.entries())
      if (items[rival]!.own.some((line) => units.get(line))) rivals.add(other);
  }
  return [...rivals];
}
