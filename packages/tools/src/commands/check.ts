import { existsSync } from 'node:fs';
import { findRestartedLimits } from '../../../../src/programme/changes.ts';
import type { LocatedFault, Place } from '../../../../src/programme/configuration-error.ts';
import { type Inspection, inspectEnvironment } from '../../../../src/programme/inspect.ts';
import { checkEnvironment } from '../../../../src/programme/load.ts';
import { type EnvironmentSource, readEnvironmentSource } from '../../../../src/programme/source.ts';
import type { LocatedWarning } from '../../../../src/programme/yaml-file.ts';
import { readSettingsOfService } from '../../../../src/settings.ts';
import { loadMembers } from '../backtest/members-file.ts';
import { assertInputFile } from './input-file.ts';

/** `check config.yaml`: every fault and every warning of an environment, without starting a service. */

/** The arguments as the command line passes them. */
export interface CheckArguments {
  readonly members?: string;
  readonly json?: boolean;
  /** The configuration in force, to see which limits would begin anew. */
  readonly against?: string;
}

const MOST_SHOWN = 500;
const DATE_CHARACTERS = '2026-11-21'.length;

/** Returns 1 when there are faults, else 0. Without a path it checks the environment of the service's own settings. */
export async function check(path: string | undefined, values: CheckArguments): Promise<number> {
  const named = path ?? readSettingsOfService().environmentFile;
  if (!existsSync(named)) throw new Error(`there is no file ${named}`);
  if (values.members !== undefined) assertInputFile(values.members);
  const members = values.members === undefined ? [] : [...(await loadMembers(values.members)).values()];
  const today = new Date().toISOString().slice(0, DATE_CHARACTERS);
  const source = readEnvironmentSource(named);
  const inspection = withRestarts(inspectEnvironment(source, today, members), named, source, values.against);
  process.stdout.write(values.json ? `${JSON.stringify(inspection, null, 2)}\n` : render(named, inspection));
  return inspection.faults.length > 0 ? 1 : 0;
}

/** Adds a warning for each limit that would begin anew; of a file with faults nothing can be said. */
function withRestarts(
  inspection: Inspection,
  named: string,
  source: EnvironmentSource,
  against: string | undefined,
): Inspection {
  if (against === undefined || inspection.faults.length > 0) return inspection;
  const [before, after] = [readEnvironmentSource(against), source].map((one) => checkEnvironment(one).file.programmes);
  const restarts = findRestartedLimits(before!, after!).map((text) => ({ file: named, path: '', text }));
  return { ...inspection, warnings: [...inspection.warnings, ...restarts] };
}

function render(named: string, { faults, warnings }: Inspection): string {
  const lines = [...faults.map(renderFault), ...warnings.map(renderWarning)];
  const hidden = lines.length - MOST_SHOWN;
  const shown = hidden > 0 ? [...lines.slice(0, MOST_SHOWN), `… and ${hidden} more`] : lines;
  const sum = `${named}: ${count(faults.length, 'error')}, ${count(warnings.length, 'warning')}`;
  return [...shown, sum, ''].join('\n');
}

function renderFault(fault: LocatedFault): string {
  const { found, allowed, nearest } = fault;
  const meant = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  return `${renderPlace(fault)} found ${found}, allowed: ${allowed}${meant}`;
}

function renderWarning(warning: LocatedWarning): string {
  return `${renderPlace(warning)} warning: ${warning.text}`;
}

/** `config/staging.yaml:12:9: programmes[0].benefits[1]:`, which terminals and editors make a link. */
function renderPlace({ file, line, column, path }: Place): string {
  const position = line === undefined ? '' : `:${line}:${column}`;
  return `${file}${position}:${path === '' ? '' : ` ${path}:`}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
