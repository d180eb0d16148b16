/** An invalid setting. The message is one line: the variable, then the value found and the values allowed, or one sentence. */
export class SettingsError extends Error {
  /** Without `allowed`, `found` is the whole sentence. */
  constructor(variable: string, found: string, allowed?: string) {
    super(allowed === undefined ? `${variable}: ${found}` : `${variable}: found ${found}, allowed: ${allowed}`);
    this.name = 'SettingsError';
  }
}

/** The variables of a process. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** A value as the message shows it. */
export function quote(text: string): string {
  return JSON.stringify(text);
}
