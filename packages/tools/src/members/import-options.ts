import { resolve } from 'node:path';

/** The options of an import that a resumed one goes on with. */
export interface LastingOptions {
  readonly format: 'ndjson' | 'csv';
  readonly programme?: string;
  readonly replace?: boolean;
  readonly keepEnded?: boolean;
  /** Absolute, so that an import resumed from another folder finds it. */
  readonly rejects: string;
  readonly allowRejects?: boolean;
  /** Rows per second. */
  readonly rate?: number;
}

/** Options that decide what is written and where: the rows before the interruption were written with them. */
const FIXED = {
  format: '--format',
  programme: '--programme',
  replace: '--replace',
  keepEnded: '--keep-ended',
  rejects: '--rejects',
} as const;

/** Adds the defaults to the options of an import of `file`; `-` is standard input. */
export function completeOptions(file: string, given: Partial<LastingOptions>): LastingOptions {
  return {
    ...given,
    format: given.format ?? (file.endsWith('.csv') ? 'csv' : 'ndjson'),
    rejects: resolve(given.rejects ?? (file === '-' ? 'members.rejects.ndjson' : `${file}.rejects.ndjson`)),
  };
}

/**
 * The options of a resumed import: those of the interrupted one, so that `--resume` alone is enough. The rate and
 * `--allow-rejects` can be changed. Throws when another option differs.
 */
export function resumeOptions(earlier: LastingOptions, named: Partial<LastingOptions>): LastingOptions {
  const given = { ...named, ...(named.rejects !== undefined && { rejects: resolve(named.rejects) }) };
  for (const name of Object.keys(FIXED) as (keyof typeof FIXED)[]) {
    if (given[name] === undefined || given[name] === earlier[name]) continue;
    const before = earlier[name] === undefined ? 'without it' : `with ${earlier[name]}`;
    throw new Error(`${FIXED[name]}: the interrupted import began ${before}; leave it out, or import without --resume`);
  }
  return { ...earlier, ...given };
}
