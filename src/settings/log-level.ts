import { quote, SettingsError } from './settings-error.ts';

/** The levels of the log, from the one that says least. */
export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export function readLogLevel(text: string | undefined): LogLevel {
  const level = LOG_LEVELS.find((known) => known === (text || 'info'));
  if (!level) throw new SettingsError('LOG_LEVEL', quote(text ?? ''), LOG_LEVELS.join(', '));
  return level;
}
