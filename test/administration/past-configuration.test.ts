/** A past basket is explained on a real Redis, by the configuration that priced it. */
import { beforeEach, expect, test } from 'vitest';
import { explainPast } from '../../src/administration/past-basket.ts';
import { checkEnvironment, loadEnvironment } from '../../src/programme/load.ts';
import { packConfiguration } from '../../src/programme/packed.ts';
import { sourceOf } from '../../src/programme/source.ts';
import { keepConfiguration } from '../../src/store/configurations.ts';
import { findCalculation } from '../../src/store/find-calculation.ts';
import { CLUB, ofBerit } from '../calls/support/club.ts';
import { ask, useTill } from '../calls/support/till.ts';

const till = useTill(CLUB);
const basket = ofBerit(6);
const version = () => till.context.environment.version;

beforeEach(async () => {
  await ask(till.context, basket);
});

/** Explains Berit's basket after the club has taken all of its benefits away. */
async function explainLater() {
  const [club] = CLUB.programmes;
  const later = { ...CLUB, programmes: [{ ...club!, benefits: [] }], members: [] };
  const context = { ...till.context, environment: loadEnvironment(JSON.stringify(later), 'environment.yaml') };
  return explainPast(context, (await findCalculation(till.context.store, basket.calculationId))!);
}

test('a basket of the configuration in force is explained from what is kept with its member', async () => {
  const record = await findCalculation(till.context.store, basket.calculationId);
  expect(await explainPast(till.context, record!)).toMatchObject({ isSame: true, response: { status: 'applied' } });
});

test('a basket of an earlier configuration is explained by that one', async () => {
  const checked = checkEnvironment(sourceOf(JSON.stringify(CLUB), 'environment.yaml'));
  await keepConfiguration(till.context.store, version(), await packConfiguration(checked));
  expect(await explainLater()).toMatchObject({
    ...{ isSame: true, texts: { triple: 'Six times' }, response: { totals: { total: 42_000 } } },
    explanation: { configuration: version() },
  });
});

test('a basket whose configuration is gone, or cannot be read, has a sentence that says so', async () => {
  expect(await explainLater()).toBe(`The configuration ${version()}, which priced it, is not kept any more.`);
  await keepConfiguration(till.context.store, version(), Buffer.from('damaged'));
  expect(await explainLater()).toMatch(
    new RegExp(`^The configuration ${version()}, which priced it, cannot be read: .+\\.$`),
  );
});
