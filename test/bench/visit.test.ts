/** `npm run bench` without a name: what it measures, and that every cell of its table has a column to come from. */
import { describe, expect, it } from 'vitest';
import { readOptions } from '../../bench/options.ts';
import { visitTable } from '../../bench/report/visit.ts';
import { latencyTable } from '../../bench/scenarios/latency-table.ts';
import { saturationTable } from '../../bench/scenarios/lines.ts';
import { chooseScenarios } from '../../bench/scenarios/register.ts';

describe('the run of a visitor', () => {
  it('is what runs without a name, and --all is every scenario with every contestant', () => {
    const visit = readOptions([], {});
    expect(chooseScenarios(visit.scenarios).map(({ name }) => name)).toEqual([
      'lines-20',
      'replay-20',
      'latency',
      'overload',
    ]);
    expect(visit).toMatchObject({ isVisit: true, contestants: ['service', 'floor', 'fastify'] });
    const all = readOptions([], { all: true });
    expect(all).toMatchObject({ isVisit: false, scenarios: [], rounds: 5 });
    expect(all.contestants).toContain('express');
    expect(readOptions(['lines-20'], {})).toMatchObject({ isVisit: false, scenarios: ['lines-20'] });
    expect(() => readOptions(['lines-20'], { all: true })).toThrow('--all');
  });

  it('finds every column of its table in those of the scenarios', () => {
    const rowsOf = (title: string, { head }: { readonly head: readonly string[] }) => ({
      title,
      head,
      rows: [['service', ...head.slice(1)]],
    });
    const saturation = rowsOf('saturation', saturationTable('', new Map()));
    const latency = rowsOf('latency', latencyTable('', []));
    const tables = { 'lines-20': [saturation], 'replay-20': [saturation, saturation], latency: [latency] };
    const finished = chooseScenarios(Object.keys(tables)).map((scenario) => ({
      scenario,
      report: { tables: tables[scenario.name as keyof typeof tables], figures: {}, raw: {} },
    }));
    const { head, rows } = visitTable(finished);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toHaveLength(head.length);
    expect(rows[0]).not.toContain('–');
  });
});
