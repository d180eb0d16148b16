/** A plain HTTP client with connections kept alive, on node:http, as a POS backend would use. */
import { Agent, request as plainRequest, type RequestOptions } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { Answer } from './answer.ts';

export interface HttpCall {
  readonly method?: string;
  readonly path: string;
  /** Several values under one name are sent as several header lines. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Uint8Array;
  /** Sends the body in pieces of this many bytes, without a Content-Length. */
  readonly chunkBytes?: number;
  readonly timeoutMs?: number;
}

export class HttpClient {
  readonly #base: URL;
  readonly #agent: Agent;
  readonly #request: typeof plainRequest;

  /** `ca` is the certificate to trust when the address is an https one. */
  constructor(baseUrl: string, options: { maxSockets?: number; ca?: string } = {}) {
    const { maxSockets = 256, ca } = options;
    this.#base = new URL(baseUrl);
    const isTls = this.#base.protocol === 'https:';
    this.#request = isTls ? tlsRequest : plainRequest;
    // An idle connection is given up before the service does so, or a call could meet its end half-way.
    const settings = { keepAlive: true, maxSockets, timeout: 4_000 };
    this.#agent = isTls ? new TlsAgent({ ...settings, ...(ca !== undefined && { ca }) }) : new Agent(settings);
  }

  /** Sends one request and resolves with its answer; rejects when the connection fails or no answer comes in time. */
  send(call: HttpCall): Promise<Answer> {
    const { method = 'POST', path, headers = {}, body, chunkBytes, timeoutMs = 10_000 } = call;
    const lengths = body && chunkBytes === undefined ? { 'Content-Length': String(body.length) } : {};
    const options: RequestOptions = {
      host: this.#base.hostname,
      port: this.#base.port,
      agent: this.#agent,
      method,
      path,
      headers: { ...lengths, ...(headers as Record<string, string | string[]>) },
      signal: AbortSignal.timeout(timeoutMs),
    };
    return new Promise((resolve, reject) => {
      const outgoing = this.#request(options, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const lines: [string, string][] = [];
          for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
            lines.push([incoming.rawHeaders[index] ?? '', incoming.rawHeaders[index + 1] ?? '']);
          }
          resolve(new Answer(incoming.statusCode ?? 0, lines, Buffer.concat(chunks)));
        });
      });
      outgoing.on('error', reject);
      if (body && chunkBytes !== undefined) {
        for (let at = 0; at < body.length; at += chunkBytes) outgoing.write(body.subarray(at, at + chunkBytes));
        outgoing.end();
      } else {
        outgoing.end(body);
      }
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
