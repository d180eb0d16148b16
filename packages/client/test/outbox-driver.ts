import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoyaltyClient, LoyaltyOutcome, Receipt, SaleEvent } from 'loyalty-basket-client';
import { forgetProcess, watchProcess } from '../../../test/support/cleanup.ts';
import { quickStart } from '../../../test/support/quick-start.ts';

export interface ToldFault {
  readonly detail: string;
  readonly calculationIds: readonly string[];
}

interface Message {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
  readonly fault?: ToldFault;
}

const PROGRAM = fileURLToPath(new URL('outbox-process.ts', import.meta.url));

/** A client in a process of its own, whose disk can be filled up and which can be killed. */
export class OutboxProcess {
  readonly faults: ToldFault[] = [];
  readonly #child: ChildProcess;
  readonly #answers = new Map<number, (message: Message) => void>();
  #isKilled = false;

  /** `wrapper`: a command that runs another. */
  private constructor(args: readonly string[], wrapper: readonly string[]) {
    const [execPath = '', ...execArgv] = [...wrapper, process.execPath];
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const;
    this.#child = fork(PROGRAM, args, { env: quickStart(process.env), execPath, execArgv, stdio: [...stdio] });
    watchProcess(this.#child.pid!);
    this.#child.on('message', (message: Message) => {
      if (message.fault) this.faults.push(message.fault);
      else this.#answers.get(message.id)?.(message);
    });
  }

  /** Resolves when the outbox is open. Rejects with the message of the client where it cannot be opened. */
  static async start(baseUrl: string, secret: string, outbox: string, wrapper: string[] = []): Promise<OutboxProcess> {
    const started = new OutboxProcess([baseUrl, secret, outbox], wrapper);
    const { error } = await new Promise<Message>((resolve) => started.#answers.set(0, resolve));
    if (error === undefined) return started;
    await started.kill();
    throw new Error(error);
  }

  reportSale(event: SaleEvent): Promise<Receipt> {
    return this.#call('reportSale', event);
  }

  calculateBasket(basket: Parameters<LoyaltyClient['calculateBasket']>[0]): Promise<LoyaltyOutcome> {
    return this.#call('calculateBasket', basket);
  }

  close(): Promise<void> {
    return this.#call('close');
  }

  /** No file of the process grows beyond so many bytes from now on: what does not fit is refused in the middle of a line. */
  limitFiles(bytes: number | 'unlimited'): void {
    execFileSync('prlimit', ['--pid', String(this.#child.pid), `--fsize=${bytes}:unlimited`]);
  }

  /** Once is enough. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#isKilled = true;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
    forgetProcess(this.#child.pid!);
  }

  #call<T>(method: string, ...given: unknown[]): Promise<T> {
    const id = this.#answers.size;
    // Answers of a killed process may still arrive; what is asked of it then stays without one, as what was under way does.
    if (!this.#isKilled) this.#child.send({ id, method, given });
    return new Promise((resolve) => this.#answers.set(id, ({ result }) => resolve(result as T)));
  }
}
