import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { readExamples } from './support/examples.ts';

/** The rows of docs/campaigns.md that say what an offer is written with; recipes.test.ts prices the recipes. */

const recipes = readExamples('config/recipes.md');
const rows = [
  ...readFileSync('docs/campaigns.md', 'utf8').matchAll(
    /^\| (?<task>.+?) \| `(?<words>.+)` \| \[(?<title>.+)\]\(\.\.\/config\/recipes\.md#(?<anchor>[\w-]+)\) \|$/gm,
  ),
].map(({ groups }) => groups as Record<'task' | 'words' | 'title' | 'anchor', string>);

it('has a row for each of these', () => {
  expect(rows.length).toBeGreaterThan(1);
});

it.each(rows)('$task: $words', ({ words, title, anchor }) => {
  expect(anchor).toBe(
    title
      .toLowerCase()
      .replaceAll(' ', '-')
      .replaceAll(/[^\w-]/g, ''),
  );
  const recipe = recipes.find((own) => own.title === title)!;
  const found = [recipe.programme, ...recipe.benefits].filter((own) => {
    try {
      expect(own).toMatchObject(parse(words) as object);
      return true;
    } catch {
      return false;
    }
  });
  expect(found).not.toEqual([]);
});
