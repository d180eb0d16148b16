import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmWithSbom } from './npm.ts';

/** As much of a CycloneDX document as is read here. */
export interface Materials {
  serialNumber: string;
  metadata: { timestamp: string; component: { 'bom-ref': string; name: string } };
  components: { 'bom-ref': string; name: string; version: string; licenses?: Licence[] }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly name?: string; readonly version?: string; readonly dev?: true; readonly link?: true }>
  >;
}

interface Licence {
  readonly license?: { readonly id?: string; readonly name?: string };
  readonly expression?: string;
}

/**
 * The packages that the service runs on, as CycloneDX, written by npm from the lock file. What npm would draw anew in each run is taken
 * from the release: the time of its commit, and a number made of the list itself.
 */
export function billOfMaterials(tree: string, at: Date): Materials {
  // With `--omit=dev` npm forgets packages that both halves need.
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'];
  const text = execFileSync(process.execPath, [npmWithSbom(), ...args], {
    cwd: tree,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 28,
  });
  const materials = withoutDevelopment(JSON.parse(text) as Materials, tree);
  const { name } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8')) as { name: string };
  materials.metadata.component.name = name;
  materials.metadata.timestamp = at.toISOString();
  materials.serialNumber = '';
  const digest = createHash('sha256').update(JSON.stringify(materials)).digest('hex');
  materials.serialNumber = `urn:uuid:${asUuid(digest)}`;
  return materials;
}

/**
 * Leaves out what the lock file marks as needed for development alone, and the service's own packages, whose needs are the
 * service's.
 */
function withoutDevelopment(materials: Materials, tree: string): Materials {
  const { packages } = JSON.parse(readFileSync(join(tree, 'package-lock.json'), 'utf8')) as Lock;
  const refs = Object.entries(packages).flatMap(([path, { name, version, dev, link }]) =>
    dev || link || !path.startsWith('node_modules/')
      ? []
      : [`${name ?? path.split('node_modules/').at(-1)}@${version}`],
  );
  const kept = new Set(refs);
  const service = materials.metadata.component['bom-ref'];
  const own = new Set(
    [service, ...Object.keys(packages).map((path) => `${path.split('/').at(-1)}@${packages[path]!.version}`)].filter(
      (ref) => !kept.has(ref),
    ),
  );
  const needed = materials.dependencies.filter(({ ref }) => own.has(ref)).flatMap(({ dependsOn }) => dependsOn);
  return {
    ...materials,
    components: materials.components.filter((component) => kept.has(component['bom-ref'])),
    dependencies: [
      { ref: service, dependsOn: [...new Set(needed)] },
      ...materials.dependencies.filter(({ ref }) => kept.has(ref)),
    ].map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) })),
  };
}

/** A UUID of version 8, which is for values of one's own. */
function asUuid(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** The packages under each licence, the most used first. */
export function licencesOf({ components }: Materials): [licence: string, packages: string[]][] {
  const byLicence = Map.groupBy(components, ({ licenses = [] }) => licenses.map(nameOf).join(' and ') || 'none told');
  return [...byLicence]
    .map(([licence, found]): [string, string[]] => [
      licence,
      found.map(({ name, version }) => `${name} ${version}`).sort(),
    ])
    .sort(([one, less], [other, more]) => more.length - less.length || one.localeCompare(other));
}

function nameOf({ license, expression }: Licence): string {
  return license?.id ?? license?.name ?? expression ?? 'unknown';
}
