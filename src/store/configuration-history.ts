import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { noteConfigurationScript } from './scripts/environment.ts';
import type { Store } from './store.ts';

/**
 * Every configuration that was in force: a list of `instant version facts`, oldest first, and the files of each version,
 * deflated. Without an end, because a year later somebody asks what the offer was; bounded by their number.
 */

export interface ConfigurationFacts {
  readonly version: string;
  /** The author's words, from `note` of the file. */
  readonly note?: string | undefined;
  /** Names of the files. */
  readonly files: readonly string[];
}

export interface NotedConfiguration extends ConfigurationFacts {
  /** By Redis' clock, ms since 1970. */
  readonly sinceMs: number;
  /** Undefined of the one in force. */
  readonly untilMs: number | undefined;
}

export interface KeptFile {
  readonly name: string;
  readonly text: string;
}

const MOST_CONFIGURATIONS = 200;

/** Notes a configuration and keeps its files. `isNew`: it has just come into force. Safe to repeat. Throws `StoreUnavailable`. */
export async function noteConfiguration(
  store: Store,
  facts: ConfigurationFacts,
  files: readonly KeptFile[],
  isNew: boolean,
  most = MOST_CONFIGURATIONS,
): Promise<void> {
  const { connection, keys } = store;
  const { version, ...rest } = facts;
  await writeFiles(store, version, files);
  const noted = { version, facts: JSON.stringify(rest), most, isNew };
  const dropped = await noteConfigurationScript(connection, { configurations: keys.configurations() }, noted);
  if (dropped.length === 0) return;
  // A version may have been in force more than once.
  const kept = new Set((await readConfigurations(store)).map((each) => each.version));
  const gone = dropped.filter((each) => !kept.has(each));
  for (const each of gone) await connection.run(keys.configurationFiles(each), (client, key) => client.unlink(key));
}

/** Reads what was in force, oldest first. Throws `StoreUnavailable`. */
export async function readConfigurations({ connection, keys }: Store): Promise<NotedConfiguration[]> {
  const entries = await connection.run(keys.configurations(), (client, key) => client.lrange(key, 0, -1));
  const noted = entries.map((entry) => {
    const [, since, version = '', facts = '{}'] = /^(\d+) (\S+) (.*)$/s.exec(entry) ?? [];
    return { version, sinceMs: Number(since), ...(JSON.parse(facts) as Omit<ConfigurationFacts, 'version'>) };
  });
  return noted.map((each, at) => ({ ...each, untilMs: noted[at + 1]?.sinceMs }));
}

/** Reads the files of a version; undefined when they are not kept. Throws `StoreUnavailable`. */
export async function readConfigurationFiles(
  { connection, keys }: Store,
  version: string,
): Promise<KeptFile[] | undefined> {
  const packed = await connection.run(keys.configurationFiles(version), (client, key) => client.getBuffer(key));
  return packed ? (JSON.parse((await promisify(inflateRaw)(packed)).toString()) as KeptFile[]) : undefined;
}

/** Changes the texts of all files that are kept, for an erasure. Returns how many versions changed. Throws `StoreUnavailable`. */
export async function rewriteConfigurationFiles(store: Store, rewrite: (text: string) => string): Promise<number> {
  let changed = 0;
  for (const version of new Set((await readConfigurations(store)).map((noted) => noted.version))) {
    const files = await readConfigurationFiles(store, version);
    if (!files) continue;
    const next = files.map(({ name, text }) => ({ name, text: rewrite(text) }));
    if (next.every(({ text }, at) => text === files[at]!.text)) continue;
    await writeFiles(store, version, next);
    changed += 1;
  }
  return changed;
}

async function writeFiles({ connection, keys }: Store, version: string, files: readonly KeptFile[]): Promise<void> {
  const packed = await promisify(deflateRaw)(JSON.stringify(files));
  await connection.run(keys.configurationFiles(version), (client, key) => client.set(key, packed));
}
