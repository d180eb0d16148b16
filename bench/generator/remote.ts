import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Mix } from '../load/mix.ts';
import { enterProcess, strikeProcess } from '../machine/cleanup.ts';
import type { ClosedLoad, ClosedResult, Command, Message, OpenLoad, OpenResult, Prepared, Reply } from './protocol.ts';

/** The harness' end of the process that makes the load. */
export class Generator {
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  #lastId = 0;

  constructor() {
    this.#child = fork(join(import.meta.dirname, 'process.ts'), { stdio: 'inherit', execArgv: [] });
    enterProcess(this.pid);
    this.#child.on('message', ({ id, body }: Message<Reply>) => {
      const waiting = this.#pending.get(id);
      this.#pending.delete(id);
      if ('error' in body) waiting?.reject(new Error(body.error));
      else waiting?.resolve(body.result);
    });
    this.#child.on('exit', () => {
      strikeProcess(this.pid);
      for (const { reject } of this.#pending.values()) reject(new Error('The generator has ended.'));
    });
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** Prepares `count` requests, signed with `secret` (hex). */
  prepare(mix: Mix, secret: string, seed: number, count: number, distance?: number): Promise<Prepared> {
    const shift = distance === undefined ? {} : { distance };
    return this.#ask({ kind: 'prepare', mix, secret, seed, count, ...shift }) as Promise<Prepared>;
  }

  runClosed(load: ClosedLoad): Promise<ClosedResult> {
    return this.#ask({ kind: 'closed', load }) as Promise<ClosedResult>;
  }

  runOpen(load: OpenLoad): Promise<OpenResult> {
    return this.#ask({ kind: 'open', load }) as Promise<OpenResult>;
  }

  stop(): void {
    if (this.#child.connected) this.#child.disconnect();
  }

  #ask(body: Command): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#child.send({ id, body } satisfies Message<Command>);
    });
  }
}
