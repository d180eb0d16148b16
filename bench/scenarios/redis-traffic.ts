import { HTTP_OK } from '@loyalty/contract/errors';
import { Deployment } from '../../packages/tools/src/load/deployment.ts';
import type { Mix, RequestClass } from '../generator/mix.ts';
import { Tape } from '../generator/tape.ts';
import { Contestant } from '../machine/contestant.ts';
import { startRelay, type Traffic } from '../machine/round-trips.ts';
import { median } from '../report/spread.ts';

/** The Redis traffic of one call of a kind, the median of many. */
export interface CallTraffic extends Traffic {
  readonly answerBytes: number;
  /** Executions per command, including those inside scripts. */
  readonly commands: Readonly<Record<string, number>>;
  /** Calls without a 200. */
  readonly failures: number;
}

/** Calls before the count, enough to run every script once: Redis gets a script's whole text at its first call. */
const PRIMING_CALLS = 20;

const NEW: Mix = { lines: 20 };

/**
 * Sends calls one at a time through a counting relay, and reads the counts after each. The median leaves out the
 * service's occasional background work, such as the expiry sweep.
 */
export async function countTraffic(calls: number) {
  let relay!: Awaited<ReturnType<typeof startRelay>>;
  const service = await Contestant.start('service', {
    redisSocket: async (socket) => {
      relay = await startRelay(socket);
      return relay.socket;
    },
  });
  try {
    const count = (kind: RequestClass, mix: Mix, amount: number) =>
      countCalls(service, relay.traffic, kind, { mix, amount });
    await count('basket', NEW, PRIMING_CALLS);
    return {
      first: await count('basket', NEW, calls),
      replay: await count('replay', { ...NEW, replayOf: { baskets: calls } }, calls * 2),
      sale: await count('sale', { ...NEW, withSales: true }, calls * 2),
    };
  } finally {
    await service.stop();
    relay.stop();
  }
}

/** Plays `amount` requests of a mix and counts those of one class. */
async function countCalls(
  service: Contestant,
  traffic: Readonly<Traffic>,
  kind: RequestClass,
  { mix, amount }: { readonly mix: Mix; readonly amount: number },
): Promise<CallTraffic> {
  // A sale event follows its basket immediately.
  const tape = new Tape({ mix, secret: service.secret, seed: 1, count: amount, distance: 1 });
  const deployment = new Deployment({ baseUrl: new URL(service.url), connections: 1 });
  const seen: Record<string, number>[] = [];
  let failures = 0;
  for (let index = 0; index < amount; index += 1) {
    const request = tape.take();
    const before = { ...traffic, ...(await readCommands(service)) };
    const answer = await deployment.post(request.path, request.headers, request.body);
    if (answer.kind === 'lost' || answer.status !== HTTP_OK) failures += 1;
    if (request.kind !== kind) continue;
    const after: Record<string, number> = { ...traffic, ...(await readCommands(service)) };
    const more = Object.entries(after).map(([name, value]) => [name, value - (before[name as keyof Traffic] ?? 0)]);
    seen.push({ ...Object.fromEntries(more), answerBytes: answer.kind === 'lost' ? 0 : answer.body.length });
  }
  await deployment.close();
  const medianOf = (name: string) => median(seen.map((one) => one[name] ?? 0));
  const names = [...new Set(seen.flatMap((one) => Object.keys(one)))].filter((name) => name.startsWith(COMMAND)).sort();
  const commands = names.map((name) => [name.slice(COMMAND.length), medianOf(name)] as const);
  return {
    roundTrips: medianOf('roundTrips'),
    bytesSent: medianOf('bytesSent'),
    bytesReceived: medianOf('bytesReceived'),
    answerBytes: medianOf('answerBytes'),
    commands: Object.fromEntries(commands.filter(([, calls]) => calls > 0)),
    failures,
  };
}

const COMMAND = 'cmdstat_';

/** Calls per command since the start, including those inside scripts, without those of the counting itself and of heartbeats. */
async function readCommands({ redis }: Contestant): Promise<Record<string, number>> {
  const found = [...(await redis.info('commandstats')).matchAll(/^(cmdstat_(?!info|ping)[^:]+):calls=(\d+),/gm)];
  return Object.fromEntries(found.map(([, name, calls]) => [name, Number(calls)]));
}
