import type { Rule } from './rules.ts';
import { lineAt, type SourceFile } from './source.ts';

/**
 * Exports that no other file imports. Dead code reads as if it mattered, and an `export` that nobody needs hides what a
 * file promises. A type may be exported for the signature of a function beside it.
 */

const EXPORTED =
  /^export\s+(?<kind>async function|function|abstract class|class|const|let|interface|type)\s+(?<name>\w+)/gm;
const IMPORTED = /\b(?:import|export)\s+(?:type\s+)?(?<names>[^'"();]*?)\s*\bfrom\s*'(?<specifier>\.[^'\n]+)'/g;
const LOADED = /\bimport\(\s*'(?<specifier>\.[^'\n]+)'/g;

interface Wanted {
  readonly names: Set<string>;
  isWhole: boolean;
}

/** Entries export for a thread, a package's users or a configuration; `isEntry` tells them. */
export function unusedExports(isEntry: (path: string) => boolean): Rule {
  return (files) => {
    const wanted = collectWanted(files);
    return files
      .filter(({ path }) => !isEntry(path))
      .flatMap((file) =>
        [...file.bare.matchAll(EXPORTED)].flatMap(({ groups, index }) => {
          const { kind, name } = groups as { kind: string; name: string };
          const { names, isWhole } = wanted.get(file.path) ?? { names: new Set<string>(), isWhole: false };
          if (isWhole || names.has(name)) return [];
          const isType = kind === 'interface' || kind === 'type';
          if (isType && (file.bare.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length > 1) return [];
          return [`${file.path}:${lineAt(file.bare, index)}: nothing imports ${name}`];
        }),
      );
  };
}

function collectWanted(files: readonly SourceFile[]): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  const of = (path: string): Wanted => {
    const known = wanted.get(path) ?? { names: new Set<string>(), isWhole: false };
    wanted.set(path, known);
    return known;
  };
  for (const { code, imports } of files) {
    const targets = new Map(imports.map(({ specifier, target }) => [specifier, target]));
    for (const { groups } of code.matchAll(IMPORTED)) {
      const target = targets.get(groups!['specifier']!);
      if (target === undefined) continue;
      const text = groups!['names']!;
      if (text.includes('*')) of(target).isWhole = true;
      const inBraces = /\{([\s\S]*)\}/.exec(text)?.[1] ?? '';
      for (const item of inBraces.split(','))
        of(target).names.add(
          item
            .trim()
            .replace(/^type\s+/, '')
            .split(/\s/)[0]!,
        );
      if (!text.trim().startsWith('{')) of(target).names.add(text.trim().split(/[\s,]/)[0]!);
    }
    for (const { groups } of code.matchAll(LOADED)) {
      const target = targets.get(groups!['specifier']!);
      if (target !== undefined) of(target).isWhole = true;
    }
  }
  return wanted;
}
