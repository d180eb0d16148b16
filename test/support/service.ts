/** The service as its own process, started on free ports in an empty directory, watched and surely ended. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll } from 'vitest';
import { Caller, type CallerOptions, expectFewRefusals } from './caller.ts';
import { cleanUp, forgetProcess, isAlive, killManagedRedis, temporaryDirectory, watchProcess } from './cleanup.ts';
import { type Configuration, configurationOf } from './configuration.ts';
import { childrenOf, isGateway, signalQuietly } from './processes.ts';
import { quickStart } from './quick-start.ts';
import { RedisServer } from './redis-server.ts';
import { newSecret } from './signer.ts';
import { until, within } from './wait.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const START_LIMIT_MS = 90_000;
const DEAF: ReadonlySet<NodeJS.Signals> = new Set(['SIGKILL', 'SIGSTOP', 'SIGCONT']);
const STOP_LIMIT_MS = 10_000;

export interface ServiceOptions {
  readonly configuration?: Configuration;
  /** The first one is what callers sign with. */
  readonly secrets?: readonly string[];
  /** REDIS_URL; without it the service manages a Redis of its own under its DATA_DIR. */
  readonly redisUrl?: string | undefined;
  /** A directory to keep over a restart. */
  readonly dataDirectory?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The folder of the project; a copy when the test changes the code. */
  readonly root?: string;
  /** False where the test wants to see a service that is not ready. */
  readonly awaitReady?: boolean;
  /** True to start it exactly as `npm start` does. */
  readonly isPlain?: boolean;
  /** The certificate to trust, when the service speaks TLS. */
  readonly ca?: string;
}

export type LogLine = Record<string, unknown>;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The configuration as a file in the data directory. JSON is YAML, and is written without a second library. */
function writeConfiguration(configuration: Configuration, dataDirectory: string): string {
  const file = join(dataDirectory, 'environment.yaml');
  writeFileSync(file, JSON.stringify(configuration, null, 2));
  return file;
}

/** The environment variables that these options mean; the configuration is written into the data directory. */
export function environmentOf(options: ServiceOptions, dataDirectory: string): Record<string, string> {
  const configurationFile = writeConfiguration(options.configuration ?? configurationOf(), dataDirectory);
  const env = {
    PATH: process.env.PATH ?? '',
    HOST: '127.0.0.1',
    PORT: '0',
    OPS_PORT: '0',
    DATA_DIR: dataDirectory,
    LOYALTY_CONFIG: configurationFile,
    WORKERS: '1',
    ...(options.secrets && { LOYALTY_SECRETS: options.secrets.join(',') }),
    ...(options.redisUrl !== undefined && { REDIS_URL: options.redisUrl }),
    ...options.env,
  };
  return options.isPlain === true ? env : quickStart(env);
}

export class Service {
  readonly dataDirectory: string;
  readonly secrets: readonly string[];
  /** Everything the process wrote, on both streams, line by line. */
  readonly output: string[] = [];
  /** What it wrote to standard output alone. */
  readonly standardOutput: string[] = [];
  baseUrl = '';
  opsUrl = '';
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcess;
  readonly #ca: string | undefined;
  readonly #callers: Caller[] = [];
  #configuration: Configuration;

  private constructor(options: ServiceOptions) {
    this.#ca = options.ca;
    this.#configuration = options.configuration ?? configurationOf();
    this.secrets = options.secrets ?? [newSecret()];
    this.dataDirectory = options.dataDirectory ?? temporaryDirectory();
    const env = environmentOf({ ...options, secrets: this.secrets }, this.dataDirectory);
    const child = spawn(process.execPath, ['src/main.ts'], {
      cwd: options.root ?? ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    const { pid } = child;
    if (pid === undefined) throw new Error('the service cannot be started');
    watchProcess(pid);
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        this.output.push(line);
        if (stream === child.stdout) this.standardOutput.push(line);
      });
    }
    this.exited = once(child, 'close').then(([code, signal]) => {
      forgetProcess(pid);
      return { code, signal } as Exit;
    });
  }

  /** Spawns the process and does not wait for anything. */
  static spawn(options: ServiceOptions = {}): Service {
    return new Service(options);
  }

  /** Starts the service and waits until it listens and, unless told otherwise, is ready. */
  static async start(options: ServiceOptions = {}): Promise<Service> {
    const service = new Service(options);
    await service.untilListening();
    if (options.awaitReady !== false) await service.untilReady();
    return service;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get isAlive(): boolean {
    return isAlive(this.pid) && this.#child.exitCode === null;
  }

  /** The lines of the log, which are JSON; the banner for humans is not. */
  get log(): LogLine[] {
    return this.output.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as LogLine);
  }

  async untilListening(): Promise<void> {
    const line = await this.#untilOrExit('the service to listen', () =>
      this.log.find((entry) => entry.msg === 'listening'),
    );
    this.baseUrl = String(line.baseUrl);
    this.opsUrl = String(line.opsUrl);
  }

  async untilReady(timeoutMs = START_LIMIT_MS): Promise<void> {
    await this.#untilOrExit('readiness', async () => (await this.readiness()) === 200, timeoutMs);
  }

  /** The status of GET /readyz; undefined when the operations port does not answer. */
  async readiness(): Promise<number | undefined> {
    try {
      const answer = await fetch(`${this.opsUrl}/readyz`, { signal: AbortSignal.timeout(2_000) });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      return undefined;
    }
  }

  /** A POS backend that knows the first secret; closed with the service. */
  newCaller(options: Partial<CallerOptions> = {}): Caller {
    const products = new Map(
      this.#configuration.venues.flatMap((venue) => venue.products).map((product) => [product.productId, product]),
    );
    const caller = new Caller(this.baseUrl, {
      secret: this.secrets[0] ?? '',
      ...(this.#ca !== undefined && { ca: this.#ca }),
      products,
      ...options,
    });
    this.#callers.push(caller);
    return caller;
  }

  /** Has a configuration in force, in every process, and new callers know its products. */
  async configure(configuration: Configuration): Promise<void> {
    if (isDeepStrictEqual(configuration, this.#configuration)) return;
    writeConfiguration(configuration, this.dataDirectory);
    const before = this.log.length;
    this.#child.kill('SIGHUP');
    await this.#untilOrExit('the configuration to be in force', () =>
      this.log.slice(before).find(({ msg, cause }) => msg === 'reloaded' && cause === 'signal'),
    );
    this.#configuration = configuration;
  }

  /** Forgets what the process has written, for a file that shares it with earlier ones. */
  forgetOutput(): void {
    this.expectNoSecretWritten();
    this.output.length = 0;
    this.standardOutput.length = 0;
  }

  closeCallers(): void {
    for (const caller of this.#callers.splice(0)) caller.close();
  }

  expectNoSecretWritten(): void {
    const leaked = this.secrets.find((secret) => this.output.some((line) => line.includes(secret)));
    if (leaked !== undefined) throw new Error('the service wrote a secret to its output');
  }

  /** The processes that answer calls. A managed Redis is a child of the primary too. */
  get gateways(): number[] {
    return childrenOf(this.pid).filter((pid) => isGateway(pid));
  }

  /**
   * Sends a signal to the primary. What no process can hear, as the end or a pause of the whole machine, comes to the gateways as
   * well; SIGKILL also waits for the end.
   */
  async kill(signal: NodeJS.Signals): Promise<void> {
    const gateways = DEAF.has(signal) ? this.gateways : [];
    this.#child.kill(signal);
    // One that has ended since it was looked for hears nothing, nor should it.
    for (const pid of gateways) signalQuietly(pid, signal);
    if (signal === 'SIGKILL') await this.exited;
  }

  /** Asks it to end and proves that it does, in good order, without a secret having reached its output. */
  async stop(): Promise<Exit> {
    this.closeCallers();
    this.#child.kill('SIGTERM');
    await this.kill('SIGCONT');
    const exit = await within(this.exited, STOP_LIMIT_MS);
    if (!exit) {
      await this.kill('SIGKILL');
      killManagedRedis(this.dataDirectory);
      throw new Error(`the service did not end within ${STOP_LIMIT_MS} ms of SIGTERM\n${this.#tail()}`);
    }
    this.expectNoSecretWritten();
    return exit;
  }

  /** Polls, but gives up at once when the process ends, and says what it wrote. */
  async #untilOrExit<T>(
    what: string,
    probe: () => Promise<T | undefined | false> | T | undefined | false,
    timeoutMs = START_LIMIT_MS,
  ): Promise<T> {
    try {
      return await until(
        what,
        () => {
          if (this.#child.exitCode !== null || this.#child.signalCode !== null)
            throw new Error(`it ended before: ${what}`);
          return probe();
        },
        timeoutMs,
      );
    } catch (fault) {
      throw new Error(`${fault instanceof Error ? fault.message : fault}\n${this.#tail()}`);
    }
  }

  #tail(): string {
    return this.output.slice(-30).join('\n');
  }
}

/** The base of a test file: one service and one Redis for all its tests. */
export interface Stage {
  service: Service;
  redis: RedisServer;
  caller: Caller;
}

export interface StageOptions extends Omit<ServiceOptions, 'redisUrl' | 'dataDirectory'> {
  readonly redisOptions?: readonly string[];
  /** False where the tests are about refusals with 503, which the stage's caller then hands on. */
  readonly isPatient?: boolean;
}

/**
 * Starts a Redis and a service before the file's tests and ends both after them, also when a test fails. The stage's caller
 * repeats a call that was refused with 503, because a machine may stand still for longer than the deadline.
 */
export function useService(options: StageOptions = {}): Stage {
  const stage = {} as Stage;
  beforeAll(async () => {
    stage.redis = await RedisServer.launch(options.redisOptions);
    stage.service = await Service.start({ ...options, redisUrl: stage.redis.url });
    stage.caller = stage.service.newCaller({ isPatient: options.isPatient ?? true });
  });
  afterAll(async () => {
    try {
      expectFewRefusals(stage.caller);
      if (stage.service?.isAlive) await stage.service.stop();
      await stage.redis?.stop();
    } finally {
      cleanUp();
    }
  });
  return stage;
}
