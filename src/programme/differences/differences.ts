import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../is-object.ts';
import { benefitDefaults, PROGRAMME_DEFAULTS, SETTING_DEFAULTS } from './defaults.ts';
import { compareFields, type Difference } from './fields.ts';
import { wordsOfChange } from './words.ts';

/** What has changed from one configuration to another, in the words of an operator: "Happy coffee: 20 % → 25 %". */

type Mapping = Readonly<Record<string, unknown>>;

/** Enough for people; the files themselves have the rest. */
const MOST_DIFFERENCES = 500;
const LISTS = ['venues', 'programmes', 'members'];

/** Compares two configurations as they were written: the values of their files, whatever each version of the service made of them. */
export function findDifferences(before: unknown, after: unknown): Difference[] {
  const [one, other] = [before, after].map((value) => (isObject(value) ? value : {})) as [Mapping, Mapping];
  const found: Difference[] = [];
  for (const difference of compareAll(one, other)) {
    if (found.length === MOST_DIFFERENCES) {
      return [...found, { path: '', text: `And more: the first ${MOST_DIFFERENCES} differences are told.` }];
    }
    found.push(difference);
  }
  return found;
}

function* compareAll(one: Mapping, other: Mapping): Generator<Difference> {
  const pieces = [...Object.keys(one), ...Object.keys(other)].filter((name) => name.startsWith('x-'));
  yield* compareFields(one, other, { ignored: [...LISTS, ...pieces], defaults: SETTING_DEFAULTS });
  yield* compareProgrammes(one, other);
  yield* compareVenues(one, other);
  yield* compareMembers(one, other);
}

function* compareProgrammes(one: Mapping, other: Mapping): Generator<Difference> {
  for (const [id, before, after] of pairs(one['programmes'], other['programmes'], 'programmeId')) {
    const path = `programmes.${id}`;
    if (!before || !after) {
      yield { path, text: `Programme ${id}: ${after ? 'new' : 'gone'}` };
      if (!after) continue;
    }
    const currency = currencyOf(id, other) ?? currencyOf(id, one);
    const was = before ?? {};
    const circumstances = { currency, ignored: ['benefits', 'programmeId'], defaults: PROGRAMME_DEFAULTS };
    yield* compareEntry(path, id, was, after ?? {}, circumstances);
    yield* compareBenefits(was, after ?? {}, path, currency);
  }
}

function* compareBenefits(
  one: Mapping,
  other: Mapping,
  above: string,
  currency: string | undefined,
): Generator<Difference> {
  for (const [id, before, after] of pairs(one['benefits'], other['benefits'], 'benefitId')) {
    const path = `${above}.${id}`;
    const name = nameOf(id, after ?? before!);
    if (!before || !after) {
      yield { path, text: `${name}: ${after ? `new${after['enabled'] === false ? ', switched off' : ''}` : 'gone'}` };
      continue;
    }
    const isOn = after['enabled'] !== false;
    if ((before['enabled'] !== false) !== isOn) {
      yield { path: `${path}.enabled`, text: `${name}: switched ${isOn ? 'on' : 'off'}` };
    }
    const circumstances = { currency, ignored: ['enabled', 'benefitId'], defaults: benefitDefaults(after['kind']) };
    yield* compareEntry(path, name, before, after, circumstances);
  }
}

/** The fields in which an entry differs, below its path and behind its name. */
function* compareEntry(path: string, name: string, ...sides: Parameters<typeof compareFields>): Generator<Difference> {
  for (const each of compareFields(...sides)) yield { path: `${path}.${each.path}`, text: `${name}: ${each.text}` };
}

/** What the guest reads, in the first of several languages, unless it has figures, which may be what has changed; else the ID as words. */
function nameOf(id: string, { text: texts }: Mapping): string {
  const text = isObject(texts) ? Object.values(texts)[0] : texts;
  if (typeof text === 'string' && !/\d/.test(text)) return text;
  const words = id.replaceAll(/[._-]+/g, ' ').trim();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function* compareVenues(one: Mapping, other: Mapping): Generator<Difference> {
  for (const [id, before, after] of pairs(one['venues'], other['venues'], 'venueId')) {
    const path = `venues.${id}`;
    if (!before || !after) {
      yield { path, text: `Venue ${id}: ${after ? 'new' : 'gone'}` };
      continue;
    }
    const currency = (after['currencies'] as string[] | undefined)?.[0];
    yield* compareEntry(path, id, before, after, { ignored: ['products', 'venueId'] });
    for (const [productId, was, is] of pairs(before['products'], after['products'], 'productId')) {
      const name = `${id}, ${String((is ?? was)!['name'] ?? productId)}`;
      const place = `${path}.${productId}`;
      if (was && is) yield* compareEntry(place, name, was, is, { currency });
      else if (is) {
        const price = wordsOfChange('unitPrice', { value: undefined }, { value: is['unitPrice'], currency });
        yield { path: place, text: `${name}: ${price.replace('none → ', 'new, ')}` };
      } else yield { path: place, text: `${name}: gone` };
    }
  }
}

/** Members are persons: they are counted, and not named. */
function* compareMembers(one: Mapping, other: Mapping): Generator<Difference> {
  const members = [...pairs(one['members'], other['members'], 'programmeId', 'loyaltyId')];
  const come = members.filter(([, before]) => !before).length;
  const gone = members.filter(([, , after]) => !after).length;
  const changed = members.filter(([, before, after]) => before && after && !isDeepStrictEqual(before, after)).length;
  if (come + gone + changed === 0) return;
  yield { path: 'members', text: `Members of the file: ${come} new, ${gone} gone, ${changed} changed` };
}

/** Entries of two lists by their ID, which stands in one field or several, in the order of the later list. */
function* pairs(
  one: unknown,
  other: unknown,
  ...fields: string[]
): Generator<[id: string, before: Mapping | undefined, after: Mapping | undefined]> {
  const idOf = (entry: Mapping) => fields.map((field) => String(entry[field])).join(' ');
  const [before, after] = [one, other].map((list) => new Map(entriesOf(list).map((entry) => [idOf(entry), entry])));
  for (const id of new Set([...after!.keys(), ...before!.keys()])) yield [id, before!.get(id), after!.get(id)];
}

function entriesOf(list: unknown): Mapping[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** The currency of a programme's bare amounts. */
function currencyOf(programmeId: string, { venues }: Mapping): string | undefined {
  const own = entriesOf(venues).filter((venue) => venue['programmeId'] === programmeId);
  const currencies = new Set(own.flatMap((venue) => (venue['currencies'] as string[] | undefined) ?? []));
  return currencies.size === 1 ? [...currencies][0] : undefined;
}
