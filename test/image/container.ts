/** A process in a root of its own, as a container runtime starts it: read only, with the image's user and no right beside. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Image, variables } from './build.ts';

const STOP_PATIENCE_MS = 20_000;

export interface ContainerOptions {
  readonly env: Readonly<Record<string, string>>;
  /** The folder of the machine that stands at each volume of the image. */
  readonly volume: string;
}

export class Container {
  readonly #child: ChildProcess;
  readonly #image: Image;
  readonly #env: ContainerOptions['env'];
  readonly output: string[] = [];

  constructor(image: Image, { env, volume }: ContainerOptions) {
    [this.#image, this.#env] = [image, env];
    mkdirSync(volume, { recursive: true });
    const { root, workDir, user, volumes, command } = image;
    const [uid = '0', gid = '0'] = user.split(':');
    execFileSync('chown', [user, volume]);
    const mounts = [
      `mount --bind ${root} ${root}`,
      ...volumes.map((path) => `mount --bind ${volume} ${join(root, path)}`),
      `mount -t tmpfs -o mode=1777 tmpfs ${join(root, 'tmp')}`,
      `mount -t proc proc ${join(root, 'proc')}`,
      `mount --bind /dev ${join(root, 'dev')}`,
      `mount -o remount,bind,ro ${root}`,
    ];
    const rights = `setpriv --reuid ${uid} --regid ${gid} --clear-groups --bounding-set=-all --no-new-privs`;
    // The shell's last word makes the command the first process of its namespace, as in a container.
    const script = ['set -e', ...mounts, `exec chroot ${root} ${rights} env -i -C ${workDir} "$@"`].join('\n');
    const words = [...variables({ env: { ...image.env, ...env } }), ...command];
    this.#child = spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script, 'sh', ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => this.output.push(chunk.toString()));
    }
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** The exit code of the image's health check, run beside the command with the container's variables. */
  checkHealth(): number {
    const { root, user, healthCheck } = this.#image;
    const words = [...variables({ env: { ...this.#image.env, ...this.#env } }), ...healthCheck];
    try {
      execFileSync('chroot', [`--userspec=${user}`, root, 'env', '-i', ...words], { stdio: 'ignore' });
      return 0;
    } catch (error) {
      return (error as { status: number | null }).status ?? -1;
    }
  }

  /** Ends the first process of the container by a signal. Returns how it ended. */
  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<{ readonly code: number | null }> {
    const ended = once(this.#child, 'exit');
    if (!this.hasEnded) this.#signal(signal);
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_PATIENCE_MS);
    if (!this.hasEnded) await ended;
    clearTimeout(timer);
    return { code: this.#child.exitCode };
  }

  /** `unshare` waits for its child and passes nothing on. */
  #signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    execFileSync('pkill', [`-${signal.slice(3)}`, '-P', String(this.#child.pid)]);
  }
}
