import { Piscina } from 'piscina';
import type { Task, TaskResult, WorkerData } from './messages.ts';

/** Calls one thread works on at once: while one waits for Redis, another is parsed (measured: 1 is the worst case). */
const TASKS_PER_WORKER = 8;

/** Calls that may wait for a thread. What waits longer than this queue is refused: it would miss its deadline anyway. */
const MAX_QUEUED_TASKS = 1024;

const CLOSE_TIMEOUT_MS = 5000;

/** The pool did not take the call: its queue is full. */
export class PoolOverloaded extends Error {}

/** The worker threads that price baskets and settle sales. */
export class PricingPool {
  readonly #piscina: Piscina<Task | 'ping', unknown>;
  readonly #workers: number;

  constructor(workers: number, workerData: WorkerData, onError: (error: Error) => void) {
    this.#workers = workers;
    this.#piscina = new Piscina<Task | 'ping', unknown>({
      filename: new URL('../../workers/pricing.ts', import.meta.url).href,
      name: 'default',
      minThreads: workers,
      maxThreads: workers,
      // Threads never idle out: a first call after a quiet hour must not wait for a thread to start.
      idleTimeout: Number.POSITIVE_INFINITY,
      maxQueue: MAX_QUEUED_TASKS,
      concurrentTasksPerWorker: TASKS_PER_WORKER,
      // Atomics would park a thread between tasks, and its Redis connection with it.
      atomics: 'disabled',
      workerData,
      recordTiming: false,
      workerHistogram: false,
      trackUnmanagedFds: false,
      closeTimeout: CLOSE_TIMEOUT_MS,
    });
    // A thread that dies between tasks is reported here; piscina starts another one.
    this.#piscina.on('error', onError);
  }

  /** True while every thread is there. */
  get isComplete(): boolean {
    return this.#piscina.threads.length >= this.#workers;
  }

  /** Threads alive, and calls that wait for one. */
  get state(): { readonly threads: number; readonly queued: number } {
    return { threads: this.#piscina.threads.length, queued: this.#piscina.queueSize };
  }

  /** Hands a call over; its body is transferred. Throws `PoolOverloaded`, or what ended the thread. */
  async run(task: Task): Promise<TaskResult> {
    if (this.#piscina.queueSize >= MAX_QUEUED_TASKS) throw new PoolOverloaded('The worker queue is full.');
    return (await this.#piscina.run(task, { transferList: [task.body] })) as TaskResult;
  }

  /** Resolves once the threads have loaded their code; rejects with what kept one from it. */
  async ready(): Promise<void> {
    await Promise.all(Array.from({ length: this.#workers }, () => this.#piscina.run('ping')));
  }

  async close(): Promise<void> {
    await this.#piscina.close();
  }
}
