/** The runbook has a row for every cause that the service can name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { REDIS_CAUSES } from '../../src/redis/cause.ts';
import { ROOT } from './source.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

it('the runbook has a row for every cause of an unusable Redis', () => {
  const causes = [...read('deploy/prometheus/runbook.md').matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell]) => cell!);
  const named = causes.flatMap((cell) => cell.split(', ').map((name) => name.replaceAll('`', '')));
  expect(named.toSorted()).toEqual([...REDIS_CAUSES].toSorted());
});
