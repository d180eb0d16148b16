import { globSync } from 'node:fs';
import type { Script } from '../../src/redis/scripts.ts';
import type { Arguments } from '../../src/store/codec.ts';
import type { ScriptDeclaration } from '../../src/store/scripts.ts';

const FOLDER = new URL('../../src/store/scripts/', import.meta.url);

interface Declared extends Script {
  readonly declared: ScriptDeclaration<string, Arguments, unknown>;
}

/** Every script of the store by its name. */
export const SCRIPTS: ReadonlyMap<string, Declared> = new Map(
  (await Promise.all(globSync('*.ts', { cwd: FOLDER }).map((file) => import(new URL(file, FOLDER).href))))
    .flatMap((module) => Object.values(module))
    .flatMap((each) => (typeof each === 'function' && 'declared' in each ? [each as unknown as Defined] : []))
    .map(({ declared, script }) => [declared.name, { ...script, declared }]),
);

interface Defined {
  readonly declared: Declared['declared'];
  readonly script: Script;
}
