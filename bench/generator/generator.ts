import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Commands, Message, Reply } from './process.ts';

/** The harness' end of the process that makes the load, which ends with the harness. It is asked one thing at a time. */
export class Generator {
  readonly #child: ChildProcess;
  readonly #ended: Promise<never>;

  constructor() {
    this.#child = fork(join(import.meta.dirname, 'process.ts'), { stdio: 'inherit', execArgv: [] });
    this.#ended = once(this.#child, 'exit').then(() => {
      throw new Error('The generator has ended.');
    });
    // Nobody waits for it while nothing is asked.
    this.#ended.catch(() => undefined);
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** Has a command of the process run, and resolves with its result. */
  async run<Name extends keyof Commands>(
    name: Name,
    argument: Parameters<Commands[Name]>[0],
  ): Promise<Awaited<ReturnType<Commands[Name]>>> {
    this.#child.send([name, argument] satisfies Message);
    const [{ error, result }] = (await Promise.race([once(this.#child, 'message'), this.#ended])) as [Reply];
    if (error !== undefined) throw new Error(error);
    return result as Awaited<ReturnType<Commands[Name]>>;
  }

  stop(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}
