import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../is-object.ts';
import { wordsOfChange, wordsOfList } from './words.ts';

/** The fields in which two mappings differ, each as words; mappings within them are looked into. */

type Mapping = Readonly<Record<string, unknown>>;

/** `ignored` are fields that are compared elsewhere. */
export function* compareFields(
  before: Mapping,
  after: Mapping,
  currency: string | undefined,
  ignored: readonly string[] = [],
  path = '',
): Generator<{ readonly path: string; readonly text: string }> {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (path === '' && ignored.includes(name)) continue;
    const place = path === '' ? name : `${path}.${name}`;
    const [one, other] = [before[name], after[name]];
    // The quantity of a limit is an amount where the limit counts money.
    const currencyIn = (side: Mapping) => (name === 'quantity' && side['counts'] !== 'money' ? undefined : currency);
    const change = () => wordsOfChange(place, one, other, [currencyIn(before), currencyIn(after)]);
    if (isDeepStrictEqual(one, other)) continue;
    if (isObject(one ?? {}) && isObject(other ?? {})) {
      yield* compareFields((one ?? {}) as Mapping, (other ?? {}) as Mapping, currency, ignored, place);
    } else if (isNames(one ?? []) && isNames(other ?? [])) {
      const [had, has] = [(one ?? []) as unknown[], (other ?? []) as unknown[]];
      const more = has.filter((each) => !had.includes(each));
      const less = had.filter((each) => !has.includes(each));
      const isMoved = more.length + less.length === 0;
      yield {
        path: place,
        text: isMoved ? change() : wordsOfList(place, more, less),
      };
    } else {
      yield { path: place, text: change() };
    }
  }
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each !== 'object');
}
