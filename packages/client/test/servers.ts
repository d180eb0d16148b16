/** Servers before which a client is put to test, each on a real socket; those of a file end with each of its tests. */
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { CallRecord, LoyaltyClient, SaleEnding } from 'loyalty-basket-client';
import { afterEach, beforeEach } from 'vitest';
import { writeCertificate } from '../../../test/support/certificate.ts';
import { temporaryDirectory } from '../../../test/support/cleanup.ts';
import { answerHonestly } from '../../conformance/src/double/honest.ts';
import { openClient } from './fixture.ts';

const servers: Server[] = [];
const clients: LoyaltyClient[] = [];

/** Notes of all clients of a file, empty before each test. */
export const stage = { calls: [] as CallRecord[], endings: [] as SaleEnding[], faults: [] as string[] };

/** To be called once in a file that uses these servers. */
export function endServersAfterEach(): void {
  beforeEach(() => {
    for (const notes of Object.values(stage)) notes.length = 0;
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    for (const server of servers.splice(0)) server.close();
  });
}

/** Resolves to the port. */
export async function listen(server: Server, port = 0): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

export async function clientOf(
  baseUrl: string,
  options: Parameters<typeof openClient>[2] = {},
): Promise<LoyaltyClient> {
  const client = await openClient(baseUrl, stage, options);
  clients.push(client);
  return client;
}

export interface Seen {
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly socket: Socket;
}

/** Answers honestly, and notes what came. */
export function honestly(seen: Seen[]): RequestListener {
  return async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    seen.push({ request, body, socket: request.socket });
    const isSale = request.url!.endsWith('/sale');
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(isSale ? { result: 'recorded' } : answerHonestly(JSON.parse(body.toString()))));
  };
}

export function honestServer(seen: Seen[]): Server {
  return createHttpServer(honestly(seen));
}

/** A certificate for 127.0.0.1 that nobody vouches for. */
export function makeIdentity(): { cert: Buffer; key: Buffer } {
  const files = writeCertificate(temporaryDirectory());
  return { cert: readFileSync(files.cert), key: readFileSync(files.key) };
}
