import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type PackageName, ROOT } from '../../scripts/package/build.ts';
import { packPackage } from '../../scripts/package/pack.ts';
import { npmInstallFlags, npmProgram } from '../../scripts/setup/npm.mjs';
import { temporaryDirectory } from './cleanup.ts';

/** Somebody else's project: a folder outside the repository, into which npm has installed one of our tarballs. */
export class OutsideProject {
  readonly folder = temporaryDirectory();
  /** The installed package. */
  readonly installed: string;

  constructor(name: PackageName) {
    const tarball = packPackage(name, this.folder);
    const manifest = readManifest(join(ROOT, 'packages', name));
    for (const wanted of Object.keys(manifest.dependencies ?? {})) this.bring(wanted);
    this.write('package.json', '{ "name": "outside", "private": true, "type": "module" }');
    // The dependencies lie there as npm would fetch them, so that nothing is asked of a registry.
    const args = [npmProgram(), 'install', '--offline', ...npmInstallFlags, tarball];
    execFileSync(process.execPath, args, { cwd: this.folder, env: this.#environment(), stdio: 'pipe' });
    this.installed = join(this.folder, 'node_modules', manifest.name);
  }

  /** Copies a package with all that it depends on from the project's own node_modules. */
  bring(name: string): void {
    const target = join(this.folder, 'node_modules', name);
    if (existsSync(target)) return;
    const source = join(ROOT, 'node_modules', name);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(source, target, { recursive: true });
    for (const next of Object.keys(readManifest(source).dependencies ?? {})) this.bring(next);
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  /** Runs a JavaScript file of the project and resolves with what it printed. Rejects with it when it fails. */
  async run(
    file: string,
    args: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
    node = process.execPath,
  ): Promise<string> {
    const options = { cwd: this.folder, env: { ...this.#environment(), ...env }, timeout: 100_000 };
    const { stdout } = await promisify(execFile)(node, [file, ...args], options);
    return stdout;
  }

  /** A strict compiler's complaints about TypeScript files of the project; empty when all is well. */
  async check(
    file: string | readonly string[],
    moduleResolution: 'node16' | 'bundler',
    more: readonly string[] = [],
  ): Promise<string> {
    this.bring('@types/node');
    const module = moduleResolution === 'bundler' ? 'esnext' : moduleResolution;
    const flags = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2024', '--types', 'node', ...more];
    const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const args = [...flags, '--module', module, '--moduleResolution', moduleResolution, ...[file].flat()];
    return this.run(compiler, args).catch((error: { stdout: string }) => error.stdout);
  }

  /** Every file of the installed package. */
  get files(): string[] {
    return readdirSync(this.installed, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(this.installed.length + 1));
  }

  /** The fenced block of this language that stands first in the package's README. */
  exampleOf(language: string): string {
    const readme = readFileSync(join(this.installed, 'README.md'), 'utf8');
    return readme.match(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms'))![1]!;
  }

  /** The environment has none of the tests' variables; the Node that runs them comes first on the path. */
  #environment(): Record<string, string> {
    return { PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`, HOME: this.folder };
  }
}

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** The pages of the contract, which each of our packages brings along. */
export const CONTRACT_PAGES = ['errors', 'integrating', 'interface-changes', 'interface', 'returns'];

/** The links of a package's pages that lead to no file of it, each with its page. */
export function findLinksToNowhere({ installed: folder, files }: OutsideProject): string[] {
  const pages = files.filter((file) => file.endsWith('.md'));
  return pages.flatMap((page) => {
    const links = [...readFileSync(join(folder, page), 'utf8').matchAll(/\]\((?![a-z]+:|#)([^)\s#]+)/g)];
    const isThere = (file: string) => existsSync(join(folder, dirname(page), file));
    return links.filter(([, file]) => !isThere(file!)).map(([, file]) => `${page}: ${file}`);
  });
}
