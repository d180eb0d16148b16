/** A setting that cannot be used. The message is one line that names the variable, what was found and what is allowed. */
export class SettingsError extends Error {
  constructor(variable: string, found: string, allowed: string) {
    super(`${variable}: found ${found}, allowed: ${allowed}`);
    this.name = 'SettingsError';
  }
}

/** A value as the message shows it. */
export function quote(text: string): string {
  return JSON.stringify(text);
}
