import { type AddressInfo, createServer } from 'node:net';

/** A cluster node listens on its port and on the one 10,000 above, for the bus. */
const BUS_OFFSET = 10_000;
/**
 * Both lie below 32,768, where the ports begin that Linux gives to outgoing connections: tests open thousands of these, of which one
 * would take a port between the look at it and its use.
 */
const [FIRST_PORT, PORTS] = [11_000, 10_000];

/** Ports on loopback that nobody has, and whose bus ports nobody has either. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
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
