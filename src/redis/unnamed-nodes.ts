import { type Cluster, Command } from 'ioredis';
import type { RedisNode } from './address.ts';

/**
 * A node of a cluster need not say where it is. Its endpoint is null with `cluster-preferred-endpoint-type
 * unknown-endpoint`, empty while the node does not know its own address, and `?` with `hostname` where none is announced.
 * The first two mean the host that was asked. The last one does not, but the node's address is given beside it. ioredis
 * leaves all of these nodes out.
 */

/** A place of which only the port is known, as redirections name it, and as `nameNodes` leaves it. */
const UNNAMED = /^\??:(\d+)$/;

/** In the reply to CLUSTER SLOTS: endpoint, port, ID, and further facts as a list of names and values. */
type SlotNode = readonly [endpoint: string | null, port: number, id: string, facts?: readonly string[]];

/** Has every cluster client read nodes without an endpoint. Calling it again changes nothing. */
export function readUnnamedNodes(): void {
  Command.setReplyTransformer('cluster', nameNodes);
}

/**
 * The node that a place stands for if it has no host: the one with its port that the client knows, or the first one's host.
 * Null for any other place. The table of slots, which may have the place itself, gets that of the node.
 */
export function locateUnnamed(place: string, cluster: Cluster, nodes: readonly RedisNode[]): RedisNode | null {
  const port = Number(UNNAMED.exec(place)?.[1]);
  if (Number.isNaN(port)) return null;
  const connected = cluster.nodes().map(({ options }) => ({ host: String(options.host), port: Number(options.port) }));
  const known = [...connected, ...nodes] as [RedisNode, ...RedisNode[]];
  const node = known.find((other) => other.port === port) ?? { host: known[0].host, port };
  // The library notes the place of a redirection as it is written, for all slots of a range, which share a list. It would
  // find no server there, and would try any, too often for its limit.
  const redirected = cluster.slots.find((servers) => servers?.[0] === place);
  if (redirected) redirected[0] = `${node.host}:${node.port}`;
  return node;
}

/** The reply to CLUSTER SLOTS with an endpoint for every node: `?` stands for the host that was asked. Others stay as they are. */
function nameNodes(reply: unknown): unknown {
  if (!Array.isArray(reply)) return reply;
  return reply.map((range: unknown) => {
    if (!Array.isArray(range) || typeof range[0] !== 'number') return range;
    const [from, to, ...nodes] = range as [number, number, ...SlotNode[]];
    return [from, to, ...nodes.map(([endpoint, ...rest]) => [nameOf(endpoint, rest[2]), ...rest])];
  });
}

function nameOf(endpoint: string | null, facts: readonly string[] = []): string {
  if (endpoint !== '?') return endpoint || '?';
  const name = facts.indexOf('ip');
  return (name === -1 ? undefined : facts[name + 1]) || '?';
}
