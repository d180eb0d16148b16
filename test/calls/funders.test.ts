/** Who pays for the benefits of a sale that a configuration of earlier has priced. */
import { expect, test } from 'vitest';
import { readFunders } from '../../src/calls/funders.ts';
import { encodeKeptBasket } from '../../src/calls/stored/kept-basket.ts';
import { checkEnvironment } from '../../src/programme/load.ts';
import { packConfiguration } from '../../src/programme/packed.ts';
import { sourceOf } from '../../src/programme/source.ts';
import { keepConfiguration } from '../../src/store/configurations.ts';
import { CLUB, ofBerit } from './support/club.ts';
import { useTill } from './support/till.ts';

const till = useTill(CLUB);

test('a configuration that is kept a moment later than the first sale asks for it is found by the next one', async () => {
  const [club] = CLUB.programmes;
  const [first, ...others] = club!.benefits;
  const paid = { ...club!, benefits: [{ ...first!, fundedBy: 'roastery' }, ...others] };
  const checked = checkEnvironment(sourceOf(JSON.stringify({ ...CLUB, programmes: [paid] }), 'environment.yaml'));
  const { version } = checked;
  const { programmeId } = paid;
  const sale = {
    basket: encodeKeptBasket(ofBerit(), { configuration: version, member: undefined, used: new Map() }),
    given: { programmeId, currency: 'NOK', benefits: [] },
  };
  expect([...(await readFunders(till.context, sale))]).toEqual([]);
  await keepConfiguration(till.context.store, version, await packConfiguration(checked));
  expect([...(await readFunders(till.context, sale))]).toEqual([[first!.benefitId, 'roastery']]);
});
