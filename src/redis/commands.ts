import type { Word } from './command-bytes.ts';
import type { Connection } from './connection.ts';
import type { Reply } from './reply-reader.ts';
import { replyText } from './scripts.ts';

/**
 * Runs a plain command of the hot path; its first argument is its key. Throws `StoreUnavailable`, or an error reply that
 * only a bug explains.
 */
export function callCommand(connection: Connection, name: string, ...args: [key: string, ...Word[]]): Promise<Reply> {
  return connection.run((client, lean) => {
    const viaIoredis = () => client.callBuffer(name, args as (string | number | Buffer)[]) as Promise<Reply>;
    return lean ? lean.ask(args[0], [name, ...args], viaIoredis) : viaIoredis();
  }, args[0]);
}

/** Reads fields of a hash, as texts in their order; undefined for a field that is not there. Throws as `callCommand` does. */
export async function readFields(connection: Connection, key: string, ...names: string[]) {
  const fields = (await callCommand(connection, 'hmget', key, ...names)) as (Buffer | null)[];
  return fields.map((field) => (field === null ? undefined : replyText(field)));
}
