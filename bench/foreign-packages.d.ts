/**
 * Types for the used parts of the benchmark's own packages. The first benchmark installs these packages, and the
 * project's type check must work without them.
 */

declare module 'autocannon' {
  interface Options {
    readonly url: string;
    readonly connections: number;
    readonly duration?: number;
    readonly amount?: number;
    readonly method: 'POST';
    /** Milliseconds between two samples. */
    readonly sampleInt?: number;
    readonly requests: readonly { readonly setupRequest: (request: object) => object }[];
  }
  interface Result {
    readonly duration: number;
    readonly errors: number;
    readonly mismatches: number;
    readonly requests: { readonly total: number };
    readonly latency: { readonly p50: number; readonly p99: number };
    readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>;
  }
  export default function autocannon(options: Options): Promise<Result>;
  /** Renders the tables that the command line prints. */
  export function printResult(result: Result): string;
}

declare module 'fastify' {
  import type { IncomingHttpHeaders } from 'node:http';

  export interface Request {
    readonly id: string;
    readonly headers: IncomingHttpHeaders;
    readonly url: string;
    body: unknown;
    /** With `attachValidation`. */
    readonly validationError?: Error;
  }
  export interface Reply {
    readonly statusCode: number;
    readonly elapsedTime: number;
    code(status: number): Reply;
    header(name: string, value: string): Reply;
    type(contentType: string): Reply;
    send(payload?: unknown): Reply;
  }
  type Done = (error: Error | null, body?: unknown) => void;
  type Hook = (request: Request, reply: Reply) => Promise<unknown>;

  export interface App {
    addContentTypeParser(
      type: string,
      options: { readonly parseAs: 'buffer' },
      parser: (request: Request, body: Buffer, done: Done) => void,
    ): void;
    decorateRequest(name: string, value: null): void;
    setValidatorCompiler(compiler: () => (data: unknown) => true | { readonly error: Error }): void;
    setErrorHandler(
      handler: (error: Error & { readonly statusCode?: number }, request: Request, reply: Reply) => unknown,
    ): void;
    setNotFoundHandler(handler: (request: Request, reply: Reply) => unknown): void;
    addHook(name: 'onResponse', hook: Hook): void;
    addHook(name: 'onSend', hook: (request: Request, reply: Reply, payload: unknown) => Promise<unknown>): void;
    post(
      path: string,
      options: {
        readonly schema?: { readonly body: unknown };
        readonly attachValidation?: boolean;
        readonly preValidation: Hook;
      },
      handler: Hook,
    ): void;
    route(options: { readonly method: readonly string[]; readonly url: string; readonly handler: Hook }): void;
    register(plugin: (app: App) => Promise<void>): void;
    listen(options: { readonly host: string; readonly port: number }): Promise<string>;
  }
  export default function fastify(options: {
    readonly bodyLimit: number;
    readonly loggerInstance: unknown;
    readonly disableRequestLogging: boolean;
    readonly genReqId: (request: { readonly headers: IncomingHttpHeaders }) => string;
  }): App;
}

declare module 'express' {
  import type { IncomingMessage, Server, ServerResponse } from 'node:http';

  export interface Request extends IncomingMessage {
    body: unknown;
    readonly path: string;
  }
  export interface Response extends ServerResponse {
    readonly locals: Record<string, unknown>;
    status(code: number): Response;
    set(name: string, value: string): Response;
    send(body: Buffer | string): Response;
  }
  type Next = (error?: unknown) => void;
  export type Handler = (request: Request, response: Response, next: Next) => unknown;
  type FaultHandler = (error: unknown, request: Request, response: Response, next: Next) => unknown;

  export interface App {
    disable(setting: string): void;
    set(setting: string, value: unknown): void;
    use(...handlers: (Handler | FaultHandler)[]): void;
    post(path: string, ...handlers: Handler[]): void;
    all(path: string, ...handlers: Handler[]): void;
    listen(port: number, host: string, done: () => void): Server;
  }
  interface BodyOptions {
    readonly limit: number;
    readonly type?: string;
    readonly verify: (request: Request, response: Response, body: Buffer) => void;
  }
  interface Express {
    (): App;
    raw(options: BodyOptions): Handler;
  }
  const express: Express;
  export default express;
}
