/** What Redis holds of each conversation, in two layers: as the operations port and the event stream say it, and the bare keys. */
import type { Redis } from 'ioredis';
import type { Talk } from './talk.ts';
import { digestOf, lifetimeOf, withoutInstants } from './volatile.ts';

/** One thing in Redis: a whole text, a field of a hash, a member of a set, an entry of a stream. */
interface Entry {
  readonly key: string;
  readonly kind: string;
  readonly ttlMs: number;
  readonly text: string;
}

/** What belongs to no member and no calculation, or is of the moment: rates, reports, configurations, the audit log. */
const UNRECORDED =
  /:(?:rate|format|processes|pseudonym-key|probe|changes|configurations?|configuration-files|cost-rows|booked-rows|dataset)\b/;

/** Names of calculations, members and programmes stand in words of their own. */
const WORD = /[\w-]{5,}/g;

/** What the operations port says of each calculation and member, and the events of the conversation. */
export async function readTold(talk: Talk, owned: readonly Entry[]): Promise<string[]> {
  const paths = [
    ...[...talk.calculations].map(([label, id]) => [`<${label}>`, `/admin/calculations/${id}`] as const),
    ...[...talk.members.keys()].map((label) => [`member ${label}`, talk.path(label)] as const),
  ];
  const replies = await Promise.all(
    paths.map(async ([label, path]) => ({ label, ...(await talk.admin(`GET ${path}`)) })),
  );
  const lines = replies.flatMap(({ label, status, body }) =>
    status === 200 ? [`= ${label}`, ...fieldLines(body)] : [],
  );
  const unknown = replies.filter(({ status }) => status !== 200).map(({ label, status }) => `${label} ${status}`);
  if (unknown.length > 0) lines.push(`= not there: ${unknown.join(', ')}`);
  // Each event is there at least once, and equal ones count once.
  const events = new Set(owned.flatMap(({ kind, text }) => (kind === 'stream' ? [`  ${text}`] : [])));
  const sorted = [...events].map((line) => readable(talk, line)).sort(byCalculation);
  return [...lines.map((line) => readable(talk, line)), '= events', ...sorted];
}

/** Events of one calculation stay in their order; which of two calculations was first is of the moment. */
function byCalculation(a: string, b: string): number {
  const [one = '', other = ''] = [a, b].map((event) => /"calculationId":"<[^>]*>/.exec(event)?.[0]);
  return one < other ? -1 : Number(one > other);
}

/** The fields of an answer that say something; of limits those that are used or held, since the configuration has the others. */
function fieldLines(body: Record<string, unknown>): string[] {
  return Object.entries(body).flatMap(([name, value]) => {
    const isUsed = (limit: Record<string, unknown>) => limit['consumed'] !== 0 || limit['held'] !== 0;
    const told = name === 'limits' && Array.isArray(value) ? value.filter(isUsed) : value;
    return Array.isArray(told) && told.length === 0 ? [] : [`  ${name}: ${JSON.stringify(told)}`];
  });
}

/** The keys, fields and values of the conversation, sorted. */
export function dumpOf(talk: Talk, owned: readonly Entry[]): string[] {
  const kept = owned.filter(({ kind }) => kind !== 'stream');
  const byKey = Map.groupBy(kept, ({ key, kind, ttlMs }) => readable(talk, `${key} (${kind}, ${lifetimeOf(ttlMs)})`));
  return [...byKey]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, values]) => [key, ...values.map(({ text }) => `  ${readable(talk, text)}`).sort()]);
}

function readable(talk: Talk, text: string): string {
  const named = text.replace(WORD, (word) => talk.names().get(word) ?? word);
  return withoutInstants(named).replace(/^countedBy = [\da-f-]{36}$/, 'countedBy = <an attempt>');
}

/** What Redis holds of each conversation: every entry that names one of its calculations, members or marks. */
export async function readHoldings(client: Redis, talks: readonly Talk[]): Promise<Map<Talk, Entry[]>> {
  const owners = Map.groupBy(
    talks.flatMap((talk) => [...talk.names().keys()].map((name) => ({ name, talk }))),
    ({ name }) => name,
  );
  const holdings = new Map(talks.map((talk): [Talk, Entry[]] => [talk, []]));
  for (const entry of await readEntries(client)) {
    const words = new Set(`${entry.key} ${entry.text}`.match(WORD));
    const named = new Set([...words].flatMap((word) => (owners.get(word) ?? []).map(({ talk }) => talk)));
    for (const talk of named) holdings.get(talk)?.push(entry);
  }
  return holdings;
}

/** Everything in Redis that belongs to members and calculations. */
async function readEntries(client: Redis): Promise<Entry[]> {
  const keys = (await client.keys('*')).filter((key) => !UNRECORDED.test(key)).sort();
  return (await Promise.all(keys.map((key) => readKey(client, key)))).flat();
}

async function readKey(client: Redis, key: string): Promise<Entry[]> {
  const [kind, ttlMs] = await Promise.all([client.type(key), client.pttl(key)]);
  return (await readTexts(client, key, kind)).map((text) => ({ key, kind, ttlMs, text }));
}

async function readTexts(client: Redis, key: string, kind: string): Promise<string[]> {
  switch (kind) {
    case 'string':
      return [textOf((await client.getBuffer(key)) ?? Buffer.alloc(0))];
    case 'hash':
      return fieldsOf(await client.hgetallBuffer(key));
    case 'zset': {
      const flat = await client.zrange(key, '0', '-1', 'WITHSCORES');
      return flat.flatMap((member, at) => (at % 2 === 0 ? [`${member} ${flat[at + 1]}`] : []));
    }
    case 'stream':
      // The ID is of the moment.
      return (await client.xrange(key, '-', '+')).map(([, words]) => words.slice(1).join(' '));
    case 'none':
      return [];
    default:
      throw new Error(`${key} is a ${kind}, which is not read`);
  }
}

/** Fields that are pieces of one value, `b0`, `b1` and so on, are joined. */
function fieldsOf(fields: Record<string, Buffer>): string[] {
  const pieces = Object.entries(fields).map(([name, value]) => ({
    name: /^([ab])\d+$/.exec(name)?.[1] ?? name,
    at: name,
    value,
  }));
  const joined = Map.groupBy(pieces, ({ name }) => name);
  return [...joined].map(([name, parts]) => {
    const sorted = parts.sort((a, b) => Number(a.at.slice(1)) - Number(b.at.slice(1)));
    return `${name} = ${textOf(Buffer.concat(sorted.map(({ value }) => value)))}`;
  });
}

/** Readable bytes as they are, others by length and hash. */
function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return /^[^\x00-\x1f\ufffd]*$/.test(text) ? text : `${bytes.length} bytes ${digestOf(bytes).slice(0, 12)}`;
}
