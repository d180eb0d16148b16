import { isDeepStrictEqual } from 'node:util';
import { isMap, isScalar, isSeq, type Node, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import { isObject } from './is-object.ts';
import { parseYamlFile, type YamlFile } from './yaml-file.ts';

/**
 * Member prices as a table: the `unit_price` benefits that a configuration file writes out, one row each. A change of the table
 * changes these places of the text and no other character, so that comments and the order of the file stay.
 */

/** In minor units, or by currency. */
export type PriceAmount = number | Readonly<Record<string, number>>;

export interface PriceRow {
  readonly programmeId: string;
  readonly benefitId: string;
  /** Empty where the benefit names its products in another way. */
  readonly productIds: readonly string[];
  readonly unitPrice: PriceAmount;
}

/** A row that is wanted: a new benefit, other values of one that is there, or its end. */
export interface WantedPrice extends PriceRow {
  readonly remove?: boolean;
}

/** A file whose member prices are listed; with `rows` they are changed first. */
export interface PriceListTask {
  readonly text: string;
  readonly rows?: readonly WantedPrice[] | undefined;
}

/** The prices of a file and its text, or a sentence why the rows cannot be written. */
export type PriceListAnswer =
  | { readonly kind: 'listed'; readonly prices: readonly PriceRow[]; readonly text: string }
  | { readonly kind: 'unusable'; readonly reason: string };

/** A table that cannot be written into the file. The message names the row. */
class PriceRowError extends Error {
  override readonly name = 'PriceRowError';
}

/** A benefit of the table, with the places of its values in the text. */
interface Place extends PriceRow {
  readonly node: YAMLMap;
  readonly list: YAMLSeq;
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Lists the prices of a file, of which there are none where it cannot be read, or changes them first. */
export function editPrices({ text, rows }: PriceListTask): PriceListAnswer {
  try {
    const changed = rows === undefined ? text : withPrices(text, rows);
    if (rows !== undefined) refuseOtherChanges(text, changed, rows);
    const prices = findPlaces(changed).prices.map(({ node: _node, list: _list, ...row }): PriceRow => row);
    return { kind: 'listed', prices, text: changed };
  } catch (error) {
    if (error instanceof PriceRowError) return { kind: 'unusable', reason: error.message };
    throw error;
  }
}

/** The file with these prices. Benefits that no row names stay as they are. Throws `PriceRowError`. */
function withPrices(text: string, rows: readonly WantedPrice[]): string {
  const { prices, lists } = findPlaces(text);
  const removed = new Set(rows.filter(({ remove }) => remove).map(nameOf));
  const gone = new Set<unknown>(prices.filter((each) => removed.has(nameOf(each))).map(({ node }) => node));
  const edits: Edit[] = [];
  const seen = new Set<string>();
  for (const row of rows) {
    const name = nameOf(row);
    if (seen.has(name)) throw new PriceRowError(`${name} stands in two rows.`);
    seen.add(name);
    const list = lists.get(row.programmeId);
    if (!list) throw new PriceRowError(`${name}: this file has no programme ${row.programmeId} with benefits.`);
    const place = prices.find((each) => nameOf(each) === name);
    if (row.remove) edits.push(...(place ? [removal(text, place, gone)] : []));
    else if (place) edits.push(...changes(text, place, row));
    else edits.push(addition(text, list, row));
  }
  // From the last to the first, so that the places of the others stay where they are; rows added at one place keep their order.
  const ordered = edits.map((edit, at) => ({ edit, at })).sort((a, b) => b.edit.from - a.edit.from || b.at - a.at);
  return ordered.reduce((all, { edit }) => all.slice(0, edit.from) + edit.text + all.slice(edit.to), text);
}

/** Refuses rows that change something else too, which uses what a row changes by an alias or a merge key. */
function refuseOtherChanges(before: string, after: string, rows: readonly WantedPrice[]): void {
  const [had, has] = [before, after].map((text) => parseYamlFile({ name: '', text })) as [YamlFile, YamlFile];
  // A file that cannot be read has nothing to compare.
  if (had.faults.length > 0) return;
  const why = 'because it uses what a row changes: change it in the text.';
  if (has.faults.length > 0) throw new PriceRowError(`Another place of the file could not be read any more, ${why}`);
  const [old, now] = [partsOf(had.value), partsOf(has.value)];
  const named = new Set(rows.map(nameOf));
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    if (named.has(name) || isDeepStrictEqual(old.get(name), now.get(name))) continue;
    throw new PriceRowError(`${name} would change too, ${why}`);
  }
}

/** The benefits of a file by their names, and all else that it has, with what they have from aliases and merge keys. */
function partsOf(value: unknown): Map<string, unknown[]> {
  const parts = new Map<string, unknown[]>();
  const programmes = listOf(value, 'programmes').map((programme) => {
    const { programmeId } = programme as PriceRow;
    for (const benefit of listOf(programme, 'benefits')) {
      const name = nameOf({ ...(benefit as PriceRow), programmeId });
      parts.set(name, [...(parts.get(name) ?? []), benefit]);
    }
    return { ...(programme as object), benefits: [] };
  });
  return parts.set('Another place of the file', [{ ...(value as object), programmes }]);
}

function listOf(value: unknown, name: string): unknown[] {
  const list = isObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function nameOf({ programmeId, benefitId }: PriceRow): string {
  return `${programmeId}/${benefitId}`;
}

function findPlaces(text: string): { readonly prices: Place[]; readonly lists: ReadonlyMap<string, YAMLSeq> } {
  const document = parseDocument(text, { merge: true });
  const programmes = document.errors.length === 0 ? fieldOf(document.contents, 'programmes') : undefined;
  const lists = new Map<string, YAMLSeq>();
  const prices: Place[] = [];
  for (const programme of isSeq(programmes) ? programmes.items : []) {
    const [programmeId, list] = [plain(fieldOf(programme, 'programmeId')), fieldOf(programme, 'benefits')];
    if (typeof programmeId !== 'string' || !isSeq(list) || list.items.length === 0) continue;
    lists.set(programmeId, list);
    for (const node of list.items) {
      const price = readPrice(programmeId, node);
      if (price) prices.push({ ...price, node: node as YAMLMap, list });
    }
  }
  return { prices, lists };
}

/** Undefined for another kind of benefit, and for one whose price stands elsewhere (an alias or a merge key). */
function readPrice(programmeId: string, node: unknown): PriceRow | undefined {
  const benefitId = plain(fieldOf(node, 'benefitId'));
  const unitPrice = plain(fieldOf(node, 'unitPrice'));
  if (plain(fieldOf(node, 'kind')) !== 'unit_price' || typeof benefitId !== 'string' || !isAmount(unitPrice)) return;
  const products = plain(fieldOf(fieldOf(node, 'appliesTo'), 'productIds'));
  const productIds = Array.isArray(products) ? products.map(String) : [];
  return { programmeId, benefitId, productIds, unitPrice };
}

function isAmount(value: unknown): value is PriceAmount {
  if (typeof value === 'number') return true;
  return typeof value === 'object' && value !== null && Object.values(value).every((each) => typeof each === 'number');
}

function fieldOf(node: unknown, name: string): unknown {
  return isMap(node) ? node.items.find(({ key }) => isScalar(key) && key.value === name)?.value : undefined;
}

function plain(node: unknown): unknown {
  if (isScalar(node)) return node.value;
  if (isSeq(node)) return node.items.map(plain);
  if (isMap(node)) return Object.fromEntries(node.items.map(({ key, value }) => [String(plain(key)), plain(value)]));
  return undefined;
}

function changes(text: string, place: Place, wanted: WantedPrice): Edit[] {
  const edits: Edit[] = [];
  const isSamePrice = JSON.stringify(place.unitPrice) === JSON.stringify(wanted.unitPrice);
  if (!isSamePrice) edits.push(replacement(text, fieldOf(place.node, 'unitPrice') as Node, amountOf(wanted)));
  if (JSON.stringify(place.productIds) === JSON.stringify(wanted.productIds)) return edits;
  const products = fieldOf(fieldOf(place.node, 'appliesTo'), 'productIds') as Node | undefined;
  if (!products) throw new PriceRowError(`${nameOf(place)} names its products in another way: change it in the text.`);
  return [...edits, replacement(text, products, namesOf(wanted))];
}

function replacement(text: string, { range }: Node, words: string): Edit {
  const [from, end] = range!;
  return { from, to: from + text.slice(from, end).trimEnd().length, text: words };
}

function amountOf({ unitPrice }: PriceRow): string {
  if (typeof unitPrice === 'number') return String(unitPrice);
  const amounts = Object.entries(unitPrice).map(([currency, amount]) => `"${currency}": ${amount}`);
  return `{ ${amounts.join(', ')} }`;
}

function namesOf({ productIds }: PriceRow): string {
  return `[${productIds.map((name) => JSON.stringify(name)).join(', ')}]`;
}

/** A new benefit stands behind the last one of its list. */
function addition(text: string, list: YAMLSeq, row: WantedPrice): Edit {
  if (row.productIds.length === 0) throw new PriceRowError(`${nameOf(row)}: a new price needs its products.`);
  const names = `"benefitId": ${JSON.stringify(row.benefitId)}, "kind": "unit_price"`;
  const words = `{ ${names}, "unitPrice": ${amountOf(row)}, "appliesTo": { "productIds": ${namesOf(row)} } }`;
  const last = list.items.at(-1) as Node;
  const end = text.slice(0, last.range![1]).trimEnd().length;
  if (list.flow) return { from: end, to: end, text: `, ${words}` };
  const indent = ' '.repeat(columnOf(text, list.range![0]));
  const lineEnd = text.indexOf('\n', end);
  const at = lineEnd < 0 ? text.length : lineEnd;
  return { from: at, to: at, text: `\n${indent}- ${unquoted(words)}` };
}

/** Names as a person writes them; values keep their quotes. */
function unquoted(words: string): string {
  return words
    .replaceAll(/"(benefitId|kind|unitPrice|appliesTo|productIds)":/g, '$1:')
    .replace('"unit_price"', 'unit_price');
}

/** `gone` are all benefits that are removed. */
function removal(text: string, { node, list, ...row }: Place, gone: ReadonlySet<unknown>): Edit {
  if (list.items.every((item) => gone.has(item)))
    throw new PriceRowError(`${nameOf(row)}: a programme keeps at least one benefit; take the last out in the text.`);
  const at = list.items.indexOf(node);
  const [from, end] = node.range!;
  const next = list.items[at + 1] as Node | undefined;
  if (list.flow) {
    const isLast = list.items.slice(at + 1).every((item) => gone.has(item));
    if (!isLast) return { from, to: next!.range![0], text: '' };
    // The comma before it goes too. Of several at the end each begins where the one before ends.
    const before = list.items[at - 1] as Node;
    return { from: before.range![1], to: end, text: '' };
  }
  // The dash may stand on a line above. It is in the column in which the list begins.
  const lineStart = text.lastIndexOf(`\n${' '.repeat(columnOf(text, list.range![0]))}-`, from) + 1;
  const lineEnd = text.indexOf('\n', text.slice(0, end).trimEnd().length);
  return { from: lineStart, to: lineEnd < 0 ? text.length : lineEnd + 1, text: '' };
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}
