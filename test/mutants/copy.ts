import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commonTokens } from '@stryker-mutator/api/plugin';
import { createInstrumenter } from '@stryker-mutator/instrumenter';
import { createInjector } from 'typed-inject';
import { root } from '../../scripts/setup/paths.mjs';
import type { Place } from './mutant.ts';

/** What a copy of the project shares with it, and what it does without. */
const SHARED = ['node_modules', '.toolchain'];
const LEFT_OUT = ['.git', '.data', 'load', 'release', 'bench'];

/** A change that a copy can be told to make. Lines count from 0. */
export interface Switchable {
  readonly id: string;
  readonly fileName: string;
  readonly mutatorName: string;
  readonly replacement: string;
  readonly location: { readonly start: Place; readonly end: Place };
}

/** Copies the project to a folder, with every change of these files in their copies, to be switched on one at a time. */
export async function copyWithChanges(files: readonly string[], copy: string): Promise<Switchable[]> {
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  for (const name of readdirSync(root)) {
    if (SHARED.includes(name)) symlinkSync(join(root, name), join(copy, name));
    else if (!LEFT_OUT.includes(name)) cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  const instrumenter = createInjector().provideValue(commonTokens.logger, SILENT).injectFunction(createInstrumenter);
  const sources = files.map((name) => ({ name, content: readFileSync(join(root, name), 'utf8'), mutate: true }));
  // A changed text of a message or a name breaks no decision; comparisons with a string are changed as operators.
  const settings = { plugins: null, excludedMutations: ['StringLiteral'], ignorers: [] };
  const changed = await instrumenter.instrument(sources, settings);
  for (const { name, content } of changed.files) writeFileSync(join(copy, name), content);
  // Those with a status are left out.
  return changed.mutants.filter(({ status }) => status === undefined) as Switchable[];
}

const nothing = (): undefined => undefined;
const no = (): boolean => false;

const SILENT = {
  ...{ isTraceEnabled: no, isDebugEnabled: no, isInfoEnabled: no, isWarnEnabled: no, isErrorEnabled: no },
  ...{
    isFatalEnabled: no,
    trace: nothing,
    debug: nothing,
    info: nothing,
    warn: nothing,
    error: nothing,
    fatal: nothing,
  },
};
