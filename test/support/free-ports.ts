import { type AddressInfo, createServer } from 'node:net';

/** A cluster node listens on its port and on the one 10,000 above, for the bus. */
const BUS_OFFSET = 10_000;

/**
 * With their bus ports they lie below those that Linux gives to outgoing connections (32,768 and above), of which any test has many: such
 * a connection would take the port between this look and its use, or while a node is down that comes back.
 */
const [FIRST, END] = [10_000, 20_000];

/** Each worker of a run has every fourth port, so that no two look at one at once. */
const WORKERS = 4;
const WORKER = Number(process.env['VITEST_POOL_ID'] ?? 0) % WORKERS;

/** Ports on loopback that nobody has, and whose bus ports nobody has either. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = FIRST + WORKERS * Math.floor((Math.random() * (END - FIRST)) / WORKERS) + WORKER;
    if (!ports.includes(port) && (await isFree(port)) && (await isFree(port + BUS_OFFSET))) ports.push(port);
  }
  return ports;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => {
      const taken = (server.address() as AddressInfo).port;
      server.close(() => resolve(taken === port));
    });
  });
}
