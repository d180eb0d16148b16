/** A process that only starts and stops the Redis that a service runs for itself: whole services take far longer. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { forgetProcess, watchProcess } from '../support/cleanup.ts';
import { quickStart } from '../support/quick-start.ts';
import { until } from '../support/wait.ts';

/** What a service does with its Redis, and nothing else: it starts in a moment, so that races can be run often. */
const USER = `
  import { startManagedRedis } from './src/redis/managed-redis.ts';
  const managed = await startManagedRedis(process.env.DIRECTORY, process.env.PATH, (note) => console.log('note', note));
  process.once('SIGTERM', async () => {
    await managed.stop();
    process.exit(0);
  });
  console.log('started');
  setInterval(() => undefined, 60_000);`;

/** One process that uses the managed Redis of a folder. */
export class User {
  readonly lines: string[] = [];
  readonly child: ChildProcess;
  readonly exited: Promise<unknown>;

  /** `path`: where it finds the server's program. */
  constructor(directory: string, path = process.env.PATH) {
    const env = quickStart({ PATH: path, DIRECTORY: directory });
    const argv = ['--input-type=module-typescript', '-e', USER];
    this.child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const pid = this.child.pid as number;
    watchProcess(pid);
    this.exited = once(this.child, 'exit').then(() => forgetProcess(pid));
    if (this.child.stdout) createInterface({ input: this.child.stdout }).on('line', (line) => this.lines.push(line));
  }

  static async start(directory: string): Promise<User> {
    const user = new User(directory);
    await user.untilStarted();
    return user;
  }

  async untilStarted(): Promise<void> {
    await until('the Redis to be there', () => this.lines.includes('started'), 60_000);
  }

  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    await this.exited;
    if (this.child.exitCode !== 0) throw new Error(`the user of Redis ended with ${this.child.exitCode}`);
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }
}
