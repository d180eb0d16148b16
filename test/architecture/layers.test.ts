/** The table of layers refuses what it should: a parser that silently skipped TypeScript would find no fault at all. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise } from 'dependency-cruiser';
import { expect, it } from 'vitest';
import layers from '../../layers.config.mjs';

async function violationsOf(files: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'loyalty-layers-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const { forbidden, options } = layers;
    const { output } = await cruise(Object.keys(files), {
      ...options,
      baseDir: folder,
      validate: true,
      ruleSet: { forbidden },
    });
    if (typeof output === 'string') throw new Error(output);
    return output.summary.violations.map(({ from, to, rule }) => `${from} → ${to}: ${rule.name}`).sort();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it('refuses what the table does not permit, circles of types, and packages in the engine', async () => {
  const found = await violationsOf({
    'package.json': '{}',
    'src/calls/call.ts': "import type { Pool } from '../threads/pool.ts';\nexport interface Call {\n  pool: Pool;\n}",
    'src/cellar/wine.ts': "import '../store/b.ts';",
    'src/recording/record.ts':
      "import { refund } from '../../packages/engine/src/refund.ts';\nimport type { Refund } from '../../packages/engine/src/refund.ts';",
    'packages/engine/src/refund.ts': 'export type Refund = number;\nexport const refund = 1;',
    'packages/contract/src/money/sum.ts': "import { readFileSync } from 'node:fs';\nexport const a = readFileSync;",
    'packages/engine/src/benefits/bundle.ts': 'export const bundle = 1;',
    'packages/engine/src/lines/lines.ts': "import '../settle/split.ts';",
    'packages/engine/src/settle/split.ts': 'export const split = 1;',
    'packages/engine/src/price.ts': "export const load = () => import('./benefits/bundle.ts');",
    'src/store/a.ts': "import type { B } from './b.ts';\nexport interface A {\n  b: B;\n}",
    'src/store/b.ts': "import type { A } from './a.ts';\nexport interface B {\n  a: A;\n}",
    'src/threads/pool.ts': 'export interface Pool {\n  size: number;\n}',
    'packages/client/src/client.ts': "export * from '../../../src/store/a.ts';",
  });
  expect(found).toEqual([
    'packages/client/src/client.ts → src/store/a.ts: packages/client imports only the layers below it',
    'packages/contract/src/money/sum.ts → fs: the engine and money import nothing from outside',
    'packages/engine/src/lines/lines.ts → packages/engine/src/settle/split.ts: engine/lines imports only the folders below it',
    'packages/engine/src/price.ts → packages/engine/src/benefits/bundle.ts: kinds of benefits are asked through the register',
    'src/calls/call.ts → src/threads/pool.ts: calls imports only the layers below it',
    'src/cellar/wine.ts → src/store/b.ts: every folder is a layer of the table',
    'src/recording/record.ts → packages/engine/src/refund.ts: recording imports types alone of packages/engine',
    'src/store/a.ts → src/store/b.ts: nothing goes in circles',
  ]);
});
