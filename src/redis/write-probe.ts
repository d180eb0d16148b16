import { Cluster, type Redis } from 'ioredis';
import { type RedisTrouble, troubleOfReply } from './cause.ts';
import type { Connection } from './connection.ts';
import { placeOfServer } from './masters.ts';
import { parseInfo } from './server-info.ts';

/** Writes nothing, because the key never exists, but is refused whenever a write would be. */
const WRITE_NOTHING = "return redis.call('SET', KEYS[1], '', 'XX')";

/**
 * A server that refused a call for lack of memory has room again from here on: several large commits, of which one takes
 * 140 KB at the most. Memory is asked for instead of being tried, because a trial of this size would refuse others' calls.
 */
const ROOM_BYTES = 1024 * 1024;

/** More tags than it takes to find one in the slots of a master that has a thousandth of them. */
const MAX_TAGS = 20_000;

/**
 * Asks every server that answers whether a script could write there. `where` names a server that is alone in messages; its
 * `server` is ''.
 */
export function probeWrites(connection: Connection, probeKey: string, where: string) {
  return Promise.all(
    connection.answering.map(async (server) => {
      const place = connection.client instanceof Cluster ? placeOfServer(server) : '';
      const key = place === '' ? probeKey : probeKeyAt(connection, probeKey, place);
      return { server: place, trouble: key === undefined ? undefined : await probe(server, key, place || where) };
    }),
  );
}

async function probe(server: Redis, key: string, where: string): Promise<RedisTrouble | undefined> {
  try {
    await server.eval(WRITE_NOTHING, 1, key);
    return undefined;
  } catch (error) {
    const { name, message } = error as Error;
    // A slot that moves is no trouble of the server, and any error but a reply means that the connection has ended, which
    // the connection itself reports.
    if (name !== 'ReplyError' || /^(?:MOVED|ASK|TRYAGAIN) /.test(message)) return undefined;
    return troubleOfReply(where, message);
  }
}

/** Whether a server has memory for several large commits; undefined where it does not say. Never throws. */
export async function findRoom(connection: Connection, server: string): Promise<boolean | undefined> {
  const asked = connection.answering.find((one) => server === '' || placeOfServer(one) === server);
  try {
    const info = asked && parseInfo(await asked.info('memory'));
    const bytesOf = (field: string): number => Number(info?.get(field) ?? Number.NaN);
    const [used, limit] = [bytesOf('used_memory') - bytesOf('mem_not_counted_for_evict'), bytesOf('maxmemory')];
    if (Number.isNaN(used) || Number.isNaN(limit)) return undefined;
    return limit === 0 || limit - used >= ROOM_BYTES;
  } catch {
    return undefined;
  }
}

const tags = new Map<string, string>();

/** A key beside the probe's in a slot of this master; the tag that was found is kept while the slot stays there. */
function probeKeyAt({ masters }: Connection, probeKey: string, place: string): string | undefined {
  const known = tags.get(`${probeKey} ${place}`);
  if (known !== undefined && masters.placeOf(known) === place) return known;
  for (let tag = 0; tag < MAX_TAGS; tag += 1) {
    const key = `${probeKey}:{${tag}}`;
    if (masters.placeOf(key) !== place) continue;
    tags.set(`${probeKey} ${place}`, key);
    return key;
  }
  return undefined;
}
