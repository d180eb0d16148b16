import { type AddressInfo, createServer } from 'node:net';

/** A cluster node listens on its port and on the one 10,000 above, for the bus. */
const BUS_OFFSET = 10_000;

/**
 * Ports on loopback that nobody has, and whose bus ports nobody has either. All lie below the range from which connections get theirs (32,768 and
 * more on Linux): a connection that somebody opens before the server listens takes none of them.
 */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = 10_000 + Math.floor(Math.random() * BUS_OFFSET);
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
