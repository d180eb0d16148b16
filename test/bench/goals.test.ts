import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GOALS, type Goal, showBound, verdictOn } from '../../bench/report/goals.ts';
import { chooseScenarios } from '../../bench/scenarios/register.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/performance.md'), 'utf8');

/** A figure begins with the name of its scenario. */
const scenarioOf = ({ figure }: Goal) => figure.slice(0, figure.indexOf('.'));

/** The cells of the page's rows that have as many columns as its table of goals. */
const rows = PAGE.split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.slice(2, -2).split(' | '))
  .filter(({ length }) => length === 6);

describe('the goals', () => {
  it.each(GOALS)('$figure is measured by a scenario that exists', (goal) => {
    expect(chooseScenarios([scenarioOf(goal)]).map(({ name }) => name)).toEqual([scenarioOf(goal)]);
  });

  it.each(GOALS)('$figure stands in docs/performance.md as it is, with what was measured and its verdict', (goal) => {
    const found = rows.filter(([what]) => what === goal.what);
    expect(found, goal.what).toHaveLength(1);
    const [, bound, measured = '', verdict, scenario] = found[0] ?? [];
    expect([bound, scenario]).toEqual([showBound(goal), `\`${scenarioOf(goal)}\``]);
    expect(verdict).toBe(verdictOn(goal, Number.parseFloat(measured.replaceAll(',', ''))));
  });

  it('are all that the page promises', () => {
    const promised = rows.filter(([, bound = '']) => /^[≤≥]/.test(bound)).map(([what]) => what);
    expect(promised.sort()).toEqual(GOALS.map(({ what }) => what).sort());
  });
});
