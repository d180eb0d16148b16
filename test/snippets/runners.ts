/** The runtimes of the snippets: how each is found, and how it compiles and runs its file. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../architecture/source.ts';

export const SNIPPETS = join(ROOT, 'docs', 'snippets');
/** Compiling a snippet takes its time on a busy machine. */
export const RUN_LIMIT_MS = 120_000;
export interface Runner {
  readonly file: string;
  /** Commands that ask each part of the runtime whether it is there. */
  readonly probes: readonly (readonly string[])[];
  /** What Debian calls it. */
  readonly packages: string;
  /** Compiles the file into a folder once. Absent where the language needs no compiler. */
  readonly compile?: (file: string, folder: string) => readonly string[];
  readonly command: (file: string, folder: string) => readonly string[];
}

const MONO_REFERENCES = [
  'System.Net.Http',
  'System.Runtime.Serialization',
  'System.Xml.Linq',
  'System.Xml',
  'System.Core',
];

export const RUNNERS: Readonly<Record<string, Runner>> = {
  Python: {
    file: 'loyalty.py',
    probes: [['python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 8))']],
    packages: 'python3',
    command: (file) => ['python3', file],
  },
  Java: {
    file: 'Loyalty.java',
    probes: [['javac', '--release', '17', '--version']],
    packages: 'openjdk-17-jdk-headless',
    compile: (file, folder) => ['javac', '-d', folder, file],
    command: (_, folder) => ['java', '-cp', folder, 'Loyalty'],
  },
  'C#': {
    file: 'Loyalty.cs',
    probes: [
      ['mcs', '--version'],
      ['mono', '--version'],
    ],
    packages:
      'mono-mcs mono-runtime libmono-system-net-http4.0-cil libmono-system-runtime-serialization4.0-cil libmono-system-xml-linq4.0-cil',
    compile: (file, folder) => [
      'mcs',
      '-langversion:7',
      ...MONO_REFERENCES.map((name) => `-r:${name}.dll`),
      `-out:${folder}/loyalty.exe`,
      file,
    ],
    command: (_, folder) => ['mono', join(folder, 'loyalty.exe')],
  },
  Kotlin: {
    file: 'Loyalty.kt',
    probes: [
      ['kotlinc', '-version'],
      ['java', '--version'],
    ],
    packages: 'kotlin',
    compile: (file, folder) => ['kotlinc', file, '-include-runtime', '-d', join(folder, 'loyalty.jar')],
    command: (_, folder) => ['java', '-jar', join(folder, 'loyalty.jar')],
  },
  Go: {
    file: 'loyalty.go',
    probes: [['go', 'version']],
    packages: 'golang-go',
    compile: (file, folder) => ['go', 'build', '-o', join(folder, 'loyalty'), file],
    command: (_, folder) => [join(folder, 'loyalty')],
  },
  PHP: {
    file: 'loyalty.php',
    probes: [['php', '-r', 'exit(PHP_VERSION_ID >= 80100 && extension_loaded("curl") ? 0 : 1);']],
    packages: 'php-cli php-curl',
    command: (file) => ['php', file],
  },
};

/** True when every part of the runtime is on this machine. */
export function isOffered({ probes }: Runner): boolean {
  return probes.every(([program = '', ...args]) => {
    const { status, error } = spawnSync(program, args, { timeout: RUN_LIMIT_MS });
    return error === undefined && status === 0;
  });
}
