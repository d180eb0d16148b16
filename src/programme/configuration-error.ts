/** An unusable configuration. The message is one line, of the first error: path in the file, value found, values allowed. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  /** Each error in a line, the first ones only; the last line says how many more there are. */
  readonly lines: readonly string[];

  constructor(message: string, lines: readonly string[] = [message]) {
    super(message);
    this.lines = lines;
  }
}

const MAX_SHOWN_CHARACTERS = 80;

/** A fault at a place in the environment. */
export interface Fault {
  /** `venues[0].programmeId`; empty for the environment as a whole. */
  readonly path: string;
  readonly found: string;
  readonly allowed: string;
  /** A name of the mapping at `path` that is itself at fault. */
  readonly key?: string;
  /** A name that nothing else knows, and the names that it may have meant. */
  readonly unknown?: { readonly name: string; readonly known: readonly string[] };
  /** As what YAML reads a value that would be right as a text: the file has it without quotes. */
  readonly readAs?: 'a number' | 'true or false';
  /** Another path that `allowed` mentions; a folder's files count their entries themselves. */
  readonly mentions?: string;
}

/** A fault with its place in a file, for people. Plain data. */
export interface LocatedFault extends Place {
  readonly found: string;
  readonly allowed: string;
  /** The known name that was probably meant. */
  readonly nearest?: string;
}

/** A place in the environment's files. */
export interface Place {
  readonly file: string;
  /** From 1; undefined when the fault is of the environment as a whole. */
  readonly line?: number;
  readonly column?: number;
  /** The path as this file counts it. */
  readonly path: string;
}

/** More errors than these are counted. */
const MOST_LINES = 10;

/** Builds the one line of an error from the first fault; of the others it says how many there are. */
export function configurationError(faults: readonly [LocatedFault, ...LocatedFault[]]): ConfigurationError {
  const [{ file, path, found, allowed }, ...others] = faults;
  const place = path === '' ? '' : ` ${path}:`;
  const more = others.length === 0 ? '' : ` (${others.length} more: npm run check)`;
  const lines = faults.slice(0, MOST_LINES).map(describeFault);
  if (faults.length > MOST_LINES) lines.push(`and ${faults.length - MOST_LINES} more`);
  return new ConfigurationError(oneLine(`${file}:${place} found ${found}, allowed: ${allowed}${more}`), lines);
}

/** `staging.yaml:12, programmes[0].benefits[3].percent: found 150, allowed: a number up to 100` */
function describeFault({ file, line, path, found, allowed }: LocatedFault): string {
  const place = line === undefined ? file : `${file}:${line}`;
  return oneLine(`${place}${path === '' ? '' : `, ${path}`}: found ${found}, allowed: ${allowed}`);
}

/** Renders a value of the file for the error line. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;
}

/** Removes line breaks, which texts of the file may contain and a log line may not. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s*[\r\n\u2028\u2029]\s*/g, ' ');
}

/** Lists the allowed values of a reference. */
export function oneOf(names: readonly string[]): string {
  return names.length === 0 ? 'none, the list is empty' : `one of ${names.join(', ')}`;
}

/** A value at a path that is not what is allowed there. */
export function wrong(path: string, value: unknown, allowed: string): Fault {
  return { path, found: show(value), allowed };
}

/** A place below a path; either may be empty. */
export function below(path: string, place: string): string {
  return path === '' || place === '' ? `${path}${place}` : `${path}.${place}`;
}

/** A reference to a name that is not there. */
export function unknownName(path: string, name: unknown, known: readonly string[]): Fault {
  const fault = wrong(path, name, oneOf(known));
  return typeof name === 'string' ? { ...fault, unknown: { name, known } } : fault;
}
