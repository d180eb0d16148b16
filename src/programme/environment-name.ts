/**
 * An environment has the name that the company gives it. The name is part of every key in Redis, so it contains nothing that
 * separates parts of a key or that a pattern of keys would take for more than itself.
 */
export const ENVIRONMENT_NAME = '^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$';

/**
 * True where no real guest is served: only there may clocks of test members be moved, and does the service make its own
 * secrets. Every other name is treated like production, so that a name that nobody thought of is on the safe side.
 */
export function isStaging(name: string): boolean {
  return name.startsWith('staging');
}
