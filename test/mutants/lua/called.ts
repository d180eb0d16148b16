/** Stands in for `src/redis/scripts.ts` while scripts are changed: calls the changed script, and says which scripts a test calls. */
import { callScript as call, type Script } from '../../../src/redis/scripts.ts';

export * from '../../../src/redis/scripts.ts';

/** The scripts that are changed now, by their names. */
export const changed = new Map<string, Script>();

/** The names of the scripts that have been called. */
export const called = new Set<string>();

/** A changed script is loaded before its first call, so that the call costs Redis as many commands as it always does. */
const loaded = new WeakMap<object, Map<string, Promise<unknown>>>();

export const callScript: typeof call = async (connection, script, keys, args) => {
  called.add(script.name);
  const changedScript = changed.get(script.name);
  if (changedScript === undefined) return call(connection, script, keys, args);
  const known = loaded.get(connection.client) ?? new Map<string, Promise<unknown>>();
  loaded.set(connection.client, known);
  let loading = known.get(changedScript.sha);
  if (loading === undefined) {
    // Past the connection, whose commands some tests count.
    loading = connection.client.script('LOAD', changedScript.source);
    known.set(changedScript.sha, loading);
  }
  await loading;
  return call(connection, changedScript, keys, args);
};
