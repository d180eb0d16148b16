import { type Store, soldMs } from './store.ts';

/** Longer than a sold basket is kept by this much, so that no kept basket outlives its configuration between two notes. */
const MARGIN_MS = 86_400_000;

/** Keeps a configuration under its version for as long as baskets that it priced may be asked for. Safe to repeat. */
export async function keepConfiguration(
  { connection, keys, periods }: Store,
  version: string,
  text: Buffer,
): Promise<void> {
  const key = keys.configuration(version);
  await connection.run(key, (client) => client.set(key, text, 'PX', soldMs(periods) + MARGIN_MS));
}

/** Reads a configuration; undefined when it is not kept. Throws `StoreUnavailable`. */
export async function readKeptConfiguration({ connection, keys }: Store, version: string): Promise<Buffer | undefined> {
  const text = await connection.run(keys.configuration(version), (client, key) => client.getBuffer(key));
  return text ?? undefined;
}
