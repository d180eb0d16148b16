/**
 * Lays a package out as it is packed: its own files, and in `docs/` the contract. A vendor has no repository to look it up in, and
 * often no access to the operations port either.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { writeVectors } from '../../packages/conformance/src/vectors/write.ts';
import { openApiDocument } from '../../packages/console/src/openapi/document.ts';
import { listFiles, type PackageName, ROOT } from './build.ts';
import { leadLinks } from './links.ts';

/** Pages of the contract, which name each other. */
const PAGES = ['interface', 'interface-changes', 'errors', 'integrating', 'returns'].map((name) => `docs/${name}.md`);

/** What an environment has that sets nothing (interface, section 8). */
const PROPOSED_LIMITS = {
  rateLimit: { sustained: 50, burst: 200 },
  calculation: { holdMs: 30 * 60_000, idempotencyMs: 24 * 3_600_000 },
  latencyBudget: { p95Ms: 150, p99Ms: 250 },
};

/** Fills an empty folder with all that the package's manifest lists. */
export function stagePackage(name: PackageName, folder: string): void {
  const own = `packages/${name}`;
  for (const entry of readdirSync(join(ROOT, own))) {
    if (!['docs', 'node_modules', 'src', 'test'].includes(entry)) {
      cpSync(join(ROOT, own, entry), join(folder, entry), { recursive: true });
    }
  }
  // What is compiled into the package is no dependency of who installs it.
  const { devDependencies: _, ...manifest } = JSON.parse(readFileSync(join(ROOT, own, 'package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  if (name === 'conformance') writeVectors(join(folder, 'vectors'));
  mkdirSync(join(folder, 'docs'));
  for (const page of PAGES) cpSync(join(ROOT, page), join(folder, page));
  writeFileSync(join(folder, 'docs', 'openapi.json'), `${JSON.stringify(openApiDocument(PROPOSED_LIMITS), null, 2)}\n`);
  const places = new Map([
    ...listFiles(folder).map((place) => [posix.join(own, place), place] as const),
    ...PAGES.map((page) => [page, page] as const),
  ]);
  for (const [source, place] of places) {
    const path = join(folder, place);
    if (!place.endsWith('.md') || source === posix.join(own, 'docs', posix.basename(place))) continue;
    const page = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      leadLinks(page, source, place, (target) => places.get(target) ?? folderOf(folder, own, target)),
    );
  }
}

/** A link may lead to a folder of the package. */
function folderOf(folder: string, own: string, target: string): string | undefined {
  const place = posix.relative(own, target);
  const path = join(folder, place);
  return !place.startsWith('..') && existsSync(path) && statSync(path).isDirectory() ? place : undefined;
}
