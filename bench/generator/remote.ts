import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Mix } from '../load/mix.ts';
import { enterProcess, strikeProcess } from '../machine/cleanup.ts';
import type { ClosedLoad, ClosedResult, Command, OpenLoad, OpenResult, Prepared, Reply } from './protocol.ts';

/** The harness' end of the process that makes the load. It is asked one thing at a time. */
export class Generator {
  readonly #child: ChildProcess;
  readonly #ended: Promise<never>;

  constructor() {
    this.#child = fork(join(import.meta.dirname, 'process.ts'), { stdio: 'inherit', execArgv: [] });
    enterProcess(this.pid);
    this.#ended = once(this.#child, 'exit').then(() => {
      strikeProcess(this.pid);
      throw new Error('The generator has ended.');
    });
    // Nobody waits for it while nothing is asked.
    this.#ended.catch(() => undefined);
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

  async #ask(command: Command): Promise<unknown> {
    this.#child.send(command);
    const [reply] = (await Promise.race([once(this.#child, 'message'), this.#ended])) as [Reply];
    if ('error' in reply) throw new Error(reply.error);
    return reply.result;
  }
}
