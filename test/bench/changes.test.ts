/** What a change adds to a call: it and the version before it are measured in turn. No figure is looked at here. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Generator } from '../../bench/generator/remote.ts';
import { removeFolder } from '../../bench/machine/cleanup.ts';
import { describeCommit, prepareFolder } from '../../bench/machine/version.ts';
import { readOptions } from '../../bench/options.ts';
import { provideBenchPackages } from '../../bench/packages.ts';
import { changesScenario } from '../../bench/scenarios/changes.ts';
import { ROOT } from '../architecture/source.ts';

/** Absent in an archive of the sources, and in a clone without history. */
const hasHistory = succeeds(() => execFileSync('git', ['-C', ROOT, 'rev-parse', 'HEAD^'], { stdio: 'ignore' }));
const lines: string[] = [];
const stageOf = (changes: string, generator: Generator) => ({
  options: { ...readOptions(['changes'], { short: true, connections: '4', changes }), warmUpSeconds: 0.2 },
  generator,
  say: (line: string) => void lines.push(line),
});

let generator: Generator;
beforeAll(async () => {
  await provideBenchPackages();
  generator = new Generator();
}, 120_000);
afterAll(() => generator.stop());

test.skipIf(!hasHistory)(
  'a commit is measured beside its parent, and a folder is left by neither',
  async () => {
    const { tables, figures, raw } = await changesScenario.run(stageOf('HEAD', generator));
    const [row, together] = tables[0]!.rows;
    expect(String(row?.[0]).slice(0, 40)).toBe(describeCommit('HEAD').slice(0, 40));
    expect(together?.[0]).toBe('together');
    const [measured] = Object.values(raw as Record<string, Record<string, { requests: number }[]>>);
    for (const label of ['before', 'after']) expect(measured?.[label]?.[0]?.requests).toBeGreaterThan(0);
    expect(figures['changes.cpu.ratio']).toHaveLength(1);
  },
  120_000,
);

test.skipIf(!hasHistory)('a version is the sources of its commit with the packages of today', () => {
  const place = prepareFolder('HEAD^');
  try {
    for (const path of ['src/main.ts', 'workers', 'package.json', 'node_modules/ajv']) {
      expect([path, existsSync(join(place, path))]).toEqual([path, true]);
    }
  } finally {
    removeFolder(place);
  }
});

test('a commit that is none is named before anything starts, and without commits the report asks for them', async () => {
  const unknown = changesScenario.run(stageOf('no-such-commit', generator));
  await expect(unknown).rejects.toThrow('--changes: found "no-such-commit"');
  expect(await changesScenario.run(stageOf('', generator))).toMatchObject({
    notes: [expect.stringContaining('--changes')],
  });
});

function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
