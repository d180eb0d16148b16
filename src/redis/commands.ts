import type { Connection } from './connection.ts';
import { replyText, type ScriptReply, type Word } from './scripts.ts';

/**
 * Runs a plain command; its first argument is its key. Throws `StoreUnavailable`, or an error reply that only a bug
 * explains.
 */
export function callCommand(
  connection: Connection,
  name: string,
  ...args: [key: string, ...Word[]]
): Promise<ScriptReply> {
  return connection.run((client) => client.callBuffer(name, args) as Promise<ScriptReply>, args[0]);
}

/** Reads fields of a hash, as texts in their order; undefined for a field that is not there. Throws as `callCommand` does. */
export async function readFields(connection: Connection, key: string, ...names: string[]) {
  const fields = (await callCommand(connection, 'hmget', key, ...names)) as (Buffer | null)[];
  return fields.map((field) => (field === null ? undefined : replyText(field)));
}
