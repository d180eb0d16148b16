import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../architecture/source.ts';
import { variables } from './build.ts';
import { run } from './shell.ts';

/** What a clone has, and what some tests call beside what the set-up provides. */
const PACKAGES = ['git', 'procps', 'gcc', 'libc6-dev', 'python3'];

/** The servers of Debian 13. Valkey's programs get the names of Redis', by which tests call them. */
const SERVERS = {
  redis: { packages: ['redis-server', 'redis-sentinel', 'redis-tools'], names: [] },
  valkey: { packages: ['valkey-server', 'valkey-sentinel', 'valkey-tools'], names: ['server', 'cli', 'sentinel'] },
} as const;
export type Server = keyof typeof SERVERS;

/** Runs tests in a Debian 13: a clone of the last commit, set up there by its own set-up. Throws when one fails. */
export function runSuiteInside(base: string, place: string, server: Server, tests: readonly string[]): void {
  const root = join(place, 'suite');
  run('cp', ['-a', '--reflink=auto', base, root]);
  mkdirSync(join(root, 'opt'), { recursive: true });
  run('git', ['clone', '-q', ROOT, join(root, 'opt', 'project')]);
  cpSync('/etc/resolv.conf', join(root, 'etc', 'resolv.conf'));
  const script = [
    `mount --bind ${root} ${root}`,
    `mount -t proc proc ${join(root, 'proc')}`,
    `mount --bind /dev ${join(root, 'dev')}`,
    `exec chroot ${root} env -i "$@"`,
  ].join(' && ');
  const { packages, names } = SERVERS[server];
  const wanted = [...PACKAGES, ...packages].join(' ');
  const inside = [
    'apt-get update -q',
    `DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends ${wanted}`,
    ...names.map((name) => `ln -s /usr/bin/valkey-${name} /usr/local/bin/redis-${name}`),
    'redis-server --version',
    'cd /opt/project',
    `NO_COLOR=1 npm test -- ${tests.join(' ')}`,
  ].join(' && ');
  const words = [...variables({ env: { HOME: '/root' } }), 'sh', '-c', inside];
  const said = run('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script, 'sh', ...words]);
  console.log(said.trim().split('\n').slice(-12).join('\n'));
}
