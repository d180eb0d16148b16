/** The pages stay short enough to be read, and the runbook has a row for every cause that the service can name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { REDIS_CAUSES } from '../../src/redis/cause.ts';
import { ROOT } from './source.ts';
import { listRepository } from './texts.ts';

const MOST_WORDS = 15_000;
const MOST_README_LINES = 200;

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

it('docs/ without the measurements is short', () => {
  const pages = listRepository('docs').filter((path) => path.endsWith('.md') && !path.includes('/measurements/'));
  const words = pages.flatMap((path) => read(path).split(/\s+/).filter(Boolean));
  expect(pages).toContain('docs/interface.md');
  expect(words.length).toBeLessThan(MOST_WORDS);
});

it('the README is short', () => {
  expect(read('README.md').split('\n').length).toBeLessThan(MOST_README_LINES);
});

it('the runbook has a row for every cause of an unusable Redis', () => {
  const causes = [...read('deploy/prometheus/runbook.md').matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell]) => cell!);
  const named = causes.flatMap((cell) => cell.split(', ').map((name) => name.replaceAll('`', '')));
  expect(named.toSorted()).toEqual([...REDIS_CAUSES].toSorted());
});
