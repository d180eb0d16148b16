/** An unusable configuration. The message is one line: path in the file, value found, values allowed. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}

const MAX_SHOWN_CHARACTERS = 80;

/** A fault at a place in the file. */
export interface Fault {
  /** `venues[0].programmeId`; empty for the file as a whole. */
  readonly path: string;
  readonly found: string;
  readonly allowed: string;
}

/** Builds the one line of an error. `source` is the file's name as the operator gave it. */
export function configurationError(source: string, fault: Fault): ConfigurationError {
  const place = fault.path === '' ? '' : ` ${fault.path}:`;
  return new ConfigurationError(oneLine(`${source}:${place} found ${fault.found}, allowed: ${fault.allowed}`));
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
