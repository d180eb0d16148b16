import type { Connection } from './connection.ts';

/** Reads fields of a hash, as texts in their order; undefined for a field that is not there. Throws as `Connection.run` does. */
export async function readFields(connection: Connection, key: string, ...names: string[]) {
  const fields = await connection.run(key, (client) => client.hmget(key, ...names));
  return fields.map((field) => field ?? undefined);
}
