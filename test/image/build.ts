/** Runs the steps of a Dockerfile in folders instead of layers: as many of them as this project's has. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from '../architecture/source.ts';
import { instructions, isSentToBuilder } from '../packaging/dockerfile.ts';
import { run } from './shell.ts';

/** What the last stage of a Dockerfile says about the container. */
export interface Image {
  readonly root: string;
  readonly workDir: string;
  readonly env: Readonly<Record<string, string>>;
  /** `uid:gid` */
  readonly user: string;
  readonly volumes: readonly string[];
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

interface Stage {
  readonly root: string;
  workDir: string;
  readonly env: Record<string, string>;
  /** Arguments of the build, by their defaults. */
  readonly args: Record<string, string>;
  user: string;
  readonly volumes: string[];
  command: string[];
  healthCheck: string[];
}

/** Builds the image from `base` into a folder of `place`. Throws on a step that it does not know. */
export function buildImage(dockerfile: string, base: string, place: string): Image {
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const [name = '', ...words] of instructions(dockerfile)) {
    if (name === 'FROM') {
      stage = begin(base, join(place, `stage-${stages.size}`));
      stages.set(words[2] ?? String(stages.size), stage);
      continue;
    }
    if (!stage) throw new Error(`${name} before FROM`);
    takeStep(stage, stages, name, words);
  }
  if (!stage) throw new Error('the Dockerfile has no stage');
  return stage;
}

function begin(base: string, root: string): Stage {
  mkdirSync(join(root, '..'), { recursive: true });
  run('cp', ['-a', '--reflink=auto', base, root]);
  return { root, workDir: '/', env: {}, args: {}, user: '0:0', volumes: [], command: [], healthCheck: [] };
}

function takeStep(stage: Stage, stages: ReadonlyMap<string, Stage>, name: string, words: readonly string[]): void {
  switch (name) {
    case 'WORKDIR':
      stage.workDir = words[0] ?? '/';
      mkdirSync(join(stage.root, stage.workDir), { recursive: true });
      return;
    case 'COPY':
      return copy(stage, stages, words);
    case 'RUN':
      run('chroot', [
        stage.root,
        'env',
        '-i',
        ...variables(stage),
        'sh',
        '-c',
        `cd ${stage.workDir} && ${words.join(' ')}`,
      ]);
      return;
    case 'ENV':
      for (const word of words) {
        const [variable = '', value = ''] = word.split('=');
        stage.env[variable] = value.replace(/^\$(\w+)$/, (_, name: string) => stage.args[name] ?? '');
      }
      return;
    case 'ARG': {
      const [argument = '', value = ''] = (words[0] ?? '').split('=');
      stage.args[argument] = value;
      return;
    }
    case 'USER':
      stage.user = words[0] ?? '0:0';
      return;
    case 'VOLUME':
      stage.volumes.push(...words);
      return;
    case 'HEALTHCHECK':
      stage.healthCheck = JSON.parse(words.slice(words.indexOf('CMD') + 1).join(' ')) as string[];
      return;
    case 'CMD':
      stage.command = JSON.parse(words.join(' ')) as string[];
      return;
    case 'EXPOSE':
      return;
    default:
      throw new Error(`a step that is not known: ${name}`);
  }
}

/** The variables of a step: those of the image, and where npm finds whom to trust. */
export function variables({ env }: Pick<Image, 'env'>): string[] {
  const all = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: '/tmp',
    NODE_EXTRA_CA_CERTS: '/etc/ssl/certs/ca-certificates.crt',
    ...env,
  };
  return Object.entries(all).map(([name, value]) => `${name}=${value}`);
}

function copy(stage: Stage, stages: ReadonlyMap<string, Stage>, words: readonly string[]): void {
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length);
  const paths = words.filter((word) => !word.startsWith('--'));
  const target = join(stage.root, stage.workDir, paths.at(-1) ?? '.');
  const isFolder = paths.length > 2 || (paths.at(-1) ?? '').endsWith('/');
  const source = from === undefined ? ROOT : stages.get(from)?.root;
  if (source === undefined) throw new Error(`COPY from an unknown stage ${from}`);
  const ignored = from === undefined ? readFileSync(join(ROOT, '.dockerignore'), 'utf8') : undefined;
  for (const path of paths.slice(0, -1)) {
    const full = join(source, path);
    if (ignored !== undefined && !isSentToBuilder(ignored, path)) throw new Error(`${path} is not sent to the builder`);
    const place = isFolder ? join(target, basename(path)) : target;
    cpSync(full, place, { recursive: true, verbatimSymlinks: true, filter: (file) => isWanted(file, ignored) });
  }
}

/** False for what the last lines of .dockerignore leave out of a folder that is sent. */
function isWanted(file: string, ignored: string | undefined): boolean {
  if (ignored === undefined) return true;
  const excluded = ignored.split('\n').filter((line) => /^[^*!#].*\//.test(line));
  return !excluded.some((pattern) => new RegExp(`/${pattern.replaceAll('*', '[^/]+')}(?:/|$)`).test(file));
}

/** Bytes of all files below a folder. */
export function sizeOf(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
