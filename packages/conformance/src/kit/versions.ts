import { readFileSync } from 'node:fs';
import { INTERFACE_VERSION } from '@loyalty/contract/headers';

/** What judged: versions that a certificate names. The checks were written against this version of the interface. */
export type Versions = ReturnType<typeof versions>;

export function versions() {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return { interface: INTERFACE_VERSION as string, kit: String(manifest.version), node: process.versions.node };
}
