import { readFileSync } from 'node:fs';

/** Interface version that the checks were written against (interface, section 9). */
export const INTERFACE_VERSION = '0.1.0-draft';

/** What judged: versions that a certificate names. */
export interface Versions {
  readonly interface: string;
  readonly kit: string;
  readonly node: string;
}

export function versions(): Versions {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return { interface: INTERFACE_VERSION, kit: manifest.version, node: process.versions.node };
}
