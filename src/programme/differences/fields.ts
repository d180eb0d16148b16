import { isDeepStrictEqual } from 'node:util';
import { below } from '../configuration-error.ts';
import { isObject } from '../is-object.ts';
import { type Defaults, NO_DEFAULTS } from './defaults.ts';
import { CURRENCY, isOpenAsWhole, openWords, type Side } from './open.ts';
import { wordsOfChange, wordsOfList, wordsOfOpening } from './words.ts';

/** The fields in which two mappings differ, each as words; mappings within them are looked into. */

interface Circumstances {
  /** That of bare amounts, where it is one alone. */
  readonly currency?: string | undefined;
  /** Fields that are compared elsewhere. */
  readonly ignored?: readonly string[];
  readonly defaults?: Defaults;
}

export interface Difference {
  /** `programmes.coffee-club.happy-coffee.percent`, or the part of it from the entry on. */
  readonly path: string;
  readonly text: string;
}

/** Compares two mappings field by field, in the words of an operator. */
export function* compareFields(
  before: Side,
  after: Side,
  circumstances: Circumstances,
  path = '',
): Generator<Difference> {
  const { currency, ignored = [], defaults = NO_DEFAULTS } = circumstances;
  for (const name of new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])) {
    if (path === '' && ignored.includes(name)) continue;
    const place = below(path, name);
    const valueIn = (side: Side) => side && (side[name] === undefined ? defaults.get(place) : side[name]);
    const [one, other] = [valueIn(before), valueIn(after)];
    if (isDeepStrictEqual(one, other)) continue;
    // The quantity of a limit is an amount where the limit counts money.
    const currencyIn = (side: Side) => (name === 'quantity' && side?.['counts'] !== 'money' ? undefined : currency);
    // A benefit with amounts by currency does not apply in a currency that is not among them.
    const absentIn = (side: Side) => (side && CURRENCY.test(name) ? `not given in ${name}` : undefined);
    const shownIn = (side: Side) => ({ value: valueIn(side), currency: currencyIn(side), absent: absentIn(side) });
    const change = () => ({ path: place, text: wordsOfChange(place, shownIn(before), shownIn(after)) });
    if (isObject(one ?? {}) && isObject(other ?? {}) && !isOpenAsWhole(place, one, other)) {
      yield* compareFields((one ?? undefined) as Side, (other ?? undefined) as Side, circumstances, place);
    } else if (isNames(one ?? []) && isNames(other ?? [])) {
      const [had, has] = [(one ?? []) as unknown[], (other ?? []) as unknown[]];
      const [was, is] = [openWords(place, before, had), openWords(place, after, has)];
      const more = has.filter((each) => !had.includes(each));
      const less = had.filter((each) => !has.includes(each));
      if (was === undefined && is === undefined) {
        const isMoved = more.length + less.length === 0;
        yield isMoved ? change() : { path: place, text: wordsOfList(place, more, less) };
      } else if (was !== is) yield { path: place, text: wordsOfOpening(place, was ?? had, is ?? has) };
    } else {
      yield change();
    }
  }
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each !== 'object');
}
