/** A real Prometheus server of the test's own, and promtool: the programs, the server, and its answers. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { forgetProcess, temporaryDirectory, watchProcess } from './cleanup.ts';
import { freePorts } from './free-ports.ts';
import { until } from './wait.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PROVIDED = join(ROOT, '.toolchain', 'prometheus');
const PROVIDED_PROGRAMS = join(PROVIDED, 'usr', 'bin');

/**
 * The folder of `prometheus` and `promtool`: on PATH, or unpacked from Debian's packages below `.toolchain`, without
 * installing it, so that no server of it is started and nothing of the machine changes. Undefined where there is neither;
 * in continuous integration that is an error.
 */
export function findPrometheus(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = [...folders, PROVIDED_PROGRAMS].find((folder) => existsSync(join(folder, 'promtool')));
  if (found !== undefined) return found;
  try {
    unpackPackages();
    return PROVIDED_PROGRAMS;
  } catch (error) {
    if (process.env.CI) throw new Error('Prometheus is needed: install the package prometheus', { cause: error });
    console.warn('Prometheus was not found and cannot be fetched: its tests are left out.');
    return undefined;
  }
}

function unpackPackages(): void {
  mkdirSync(join(ROOT, '.toolchain'), { recursive: true });
  // Two test files may do this at once: each works in a folder of its own, and the first one's is taken.
  const folder = mkdtempSync(`${PROVIDED}-`);
  const run = (program: string, args: string[]) => execFileSync(program, args, { cwd: folder, stdio: 'pipe' });
  try {
    try {
      run('apt-get', ['download', '-q', 'prometheus']);
    } catch {
      // A fresh machine has no lists of packages yet.
      run('apt-get', ['update', '-q']);
      run('apt-get', ['download', '-q', 'prometheus']);
    }
    // Since Debian 13 promtool is a package of its own.
    if (isPackage('promtool')) run('apt-get', ['download', '-q', 'promtool']);
    run('sh', ['-c', 'for package in *.deb; do dpkg -x "$package" unpacked || exit; done']);
    if (!existsSync(PROVIDED)) renameSync(join(folder, 'unpacked'), PROVIDED);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function isPackage(name: string): boolean {
  return execFileSync('apt-cache', ['search', '--names-only', `^${name}$`]).length > 0;
}

/** A command of seconds need not tidy up its memory so often: that is two fifths of the work of the nights. */
const RARELY_TIDIED = { GOGC: '800' };

/** Runs promtool, with a text on its standard input. Rejects, with what it said, when it finds a fault. */
export async function promtool(programs: string, args: readonly string[], input = ''): Promise<string> {
  const env = { ...process.env, ...RARELY_TIDIED };
  const running = promisify(execFile)(join(programs, 'promtool'), args, { env });
  running.child.stdin?.end(input);
  return (await running).stdout;
}

export class PrometheusServer {
  readonly #url: string;
  readonly #child: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    [this.#url, this.#child] = [url, child];
  }

  /** Starts a server on these files, one of which is prometheus.yml, and waits until it answers. */
  static async start(programs: string, files: Readonly<Record<string, string>>): Promise<PrometheusServer> {
    const directory = temporaryDirectory();
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
    const [port] = await freePorts(1);
    const address = `127.0.0.1:${port}`;
    const child = spawn(
      join(programs, 'prometheus'),
      ['--config.file=prometheus.yml', '--storage.tsdb.path=data', `--web.listen-address=${address}`],
      { cwd: directory, stdio: 'ignore' },
    );
    const { pid } = child;
    if (pid === undefined) throw new Error('prometheus cannot be started');
    watchProcess(pid);
    child.once('exit', () => forgetProcess(pid));
    const server = new PrometheusServer(`http://${address}`, child);
    await until('Prometheus to be ready', async () => {
      if (child.exitCode !== null) throw new Error(`prometheus ended with ${child.exitCode}`);
      return (await fetch(`${server.#url}/-/ready`).catch(() => undefined))?.ok;
    });
    return server;
  }

  /** Answers an instant query as label sets with their values. */
  async query(expression: string): Promise<{ labels: Record<string, string>; value: number }[]> {
    const answer = await fetch(`${this.#url}/api/v1/query?query=${encodeURIComponent(expression)}`);
    const body = (await answer.json()) as {
      status: string;
      error?: string;
      data: { result: { metric: Record<string, string>; value: [number, string] }[] };
    };
    if (body.status !== 'success') throw new Error(`${expression}: ${body.error}`);
    return body.data.result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
  }

  /** Names of the alerts that fire now. */
  async firing(): Promise<Set<string>> {
    const found = await this.query('count by (alertname) (ALERTS{alertstate="firing"})');
    return new Set(found.map(({ labels }) => labels.alertname ?? ''));
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
  }
}
