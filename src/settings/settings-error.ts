/** An unusable setting. The message is one line that names the variable, the value found and the values allowed. */
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
