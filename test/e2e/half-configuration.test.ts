/** A configuration that is still being written is not put in force, and a reload names the benefits and venues that it takes away. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findChanges } from '../../src/programme/changes.ts';
import { BERGEN } from '../support/baskets.ts';
import { type Benefit, type Configuration, configurationOf, type Programme, TWENTY } from '../support/configuration.ts';
import { useService } from '../support/service.ts';
import { sleep, until } from '../support/wait.ts';

/** Parts come less than a second apart, also on a machine that stands still for half of one. */
const PART_MS = 300;
const BENEFITS: Benefit[] = Array.from({ length: 10 }, (_, index) => ({ ...TWENTY, benefitId: `benefit-${index}` }));

const configuration = configurationOf({ programme: { benefits: BENEFITS }, members: [] });
const stage = useService({ configuration, env: { PROCESSES: '2' } });
const file = () => join(stage.service.dataDirectory, 'environment.yaml');
const reloads = () => stage.service.log.filter(({ msg }) => /^reload/.test(String(msg)));

/** The environment as lines of YAML, of which the benefits are the last: every text that ends behind one of them is valid. */
function linesOf({ programmes, ...rest }: Configuration): [head: string, benefits: string[]] {
  const [{ benefits, ...programme }, ...others] = programmes as [Programme, ...Programme[]];
  const first = Object.entries(rest).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`);
  const items = others.map((other) => `  - ${JSON.stringify(other)}\n`);
  const own = Object.entries(programme).map(([name, value]) => `    ${name}: ${JSON.stringify(value)}\n`);
  own[0] = `  -${(own[0] as string).slice(3)}`;
  return [
    [...first, 'programmes:\n', ...items, ...own, '    benefits:\n'].join(''),
    benefits.map((benefit) => `      - ${JSON.stringify(benefit)}\n`),
  ];
}

test('a file that grows for seconds is read once, and whole', async () => {
  const [head, benefits] = linesOf(configuration);
  writeFileSync(file(), head + benefits[0]);
  for (const benefit of benefits.slice(1)) {
    await sleep(PART_MS);
    appendFileSync(file(), benefit);
  }
  await until('the reload', () => reloads().length > 0);
  expect(reloads()).toMatchObject([{ msg: 'reloaded', cause: 'file change' }]);
  expect(reloads()[0]).not.toHaveProperty('removedBenefits');
  expect(reloads()[0]).not.toHaveProperty('removedVenues');
});

test('a reload names the benefits and venues that it takes away', async () => {
  const { length } = reloads();
  const venues = configuration.venues.filter(({ venueId }) => venueId !== BERGEN.venueId);
  const less = { ...configurationOf({ programme: { benefits: BENEFITS.slice(0, 8) }, members: [] }), venues };
  writeFileSync(file(), JSON.stringify(less));
  await stage.service.kill('SIGHUP');
  await until('the reload', () => reloads().length > length);
  expect(reloads().at(-1)).toMatchObject({
    msg: 'reloaded',
    removedBenefits: ['coffee-club benefit-8', 'coffee-club benefit-9'],
    removedVenues: [BERGEN.venueId],
  });
});

test('a benefit that is changed and a venue with several entries are not taken away', () => {
  const file = (benefits: object[], venues: string[]) =>
    ({
      programmes: [{ programmeId: 'club', benefits }],
      venues: venues.map((venueId) => ({ venueId })),
    }) as unknown as Parameters<typeof findChanges>[0];
  const [one, two] = [{ benefitId: 'one', percent: 10 }, { benefitId: 'two' }];
  expect(findChanges(file([one], ['a', 'a', 'b']), file([{ ...one, percent: 20 }, two], ['b', 'a']))).toEqual({});
  expect(findChanges(file([one, two], ['a', 'a', 'b']), file([two], ['b']))).toEqual({
    removedBenefits: ['club one'],
    removedVenues: ['a'],
  });
});
