import type { Connection } from '../redis/connection.ts';
import { callScript, loadScripts, type ScriptReply } from '../redis/scripts.ts';

const scripts = loadScripts(new URL('./scripts/', import.meta.url));

/** Runs a script of `scripts/` by its name. Throws `StoreUnavailable`, or an error reply that only a bug explains. */
export function runScript(
  connection: Connection,
  name: string,
  keys: readonly string[],
  args: readonly (string | number | Buffer)[],
): Promise<ScriptReply> {
  const script = scripts.get(name);
  if (!script || keys.length !== (script.keyCount ?? keys.length))
    throw new Error(`No script ${name} of ${keys.length} keys.`);
  return callScript(connection, script, keys, args);
}
