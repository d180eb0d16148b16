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

it('refuses what the table does not permit, circles of types, and packages in pricing', async () => {
  const found = await violationsOf({
    'package.json': '{}',
    'src/calls/call.ts': "import type { Pool } from '../threads/pool.ts';\nexport interface Call {\n  pool: Pool;\n}",
    'src/cellar/wine.ts': "import '../money/sum.ts';",
    'src/returns/refund.ts':
      "import { refund } from '../contract/refund.ts';\nimport type { Refund } from '../contract/refund.ts';",
    'src/contract/refund.ts': 'export type Refund = number;\nexport const refund = 1;',
    'src/money/sum.ts': "import { readFileSync } from 'node:fs';\nexport const a = readFileSync;",
    'src/pricing/benefits/bundle.ts': 'export const bundle = 1;',
    'src/pricing/lines/lines.ts': "import '../settle/split.ts';",
    'src/pricing/settle/split.ts': 'export const split = 1;',
    'src/pricing/price.ts': "export const load = () => import('./benefits/bundle.ts');",
    'src/store/a.ts': "import type { B } from './b.ts';\nexport interface A {\n  b: B;\n}",
    'src/store/b.ts': "import type { A } from './a.ts';\nexport interface B {\n  a: A;\n}",
    'src/threads/pool.ts': 'export interface Pool {\n  size: number;\n}',
    'packages/client/src/client.ts': "export * from '../../../src/store/a.ts';",
  });
  expect(found).toEqual([
    'packages/client/src/client.ts → src/store/a.ts: packages/client imports only the layers below it',
    'src/calls/call.ts → src/threads/pool.ts: calls imports only the layers below it',
    'src/cellar/wine.ts → src/money/sum.ts: every folder is a layer of the table',
    'src/money/sum.ts → fs: pricing and money import no package and no module of Node',
    'src/pricing/lines/lines.ts → src/pricing/settle/split.ts: pricing/lines imports only the folders below it',
    'src/pricing/price.ts → src/pricing/benefits/bundle.ts: kinds of benefits are asked through the register',
    'src/returns/refund.ts → src/contract/refund.ts: returns imports types alone of contract',
    'src/store/a.ts → src/store/b.ts: nothing goes in circles',
  ]);
});
