/** The one error that needs a service with hardly any rate. */
import { test } from 'vitest';
import { ERROR_EXAMPLES } from '../../packages/console/src/openapi/error-examples.ts';
import type { Answer } from '../support/answer.ts';
import { basketOf } from '../support/baskets.ts';
import { BASKET_PATH } from '../support/caller.ts';
import { useSharedService } from '../support/shared-service.ts';
import { until } from '../support/wait.ts';
import { expectExample, stagingConfiguration } from './support.ts';

const stage = useSharedService(stagingConfiguration({ rateLimit: { sustained: 1, burst: 1 } }));

test('tooFast', async () => {
  // Where the machine stands still for a second, there is a token again for each call.
  const refused = await until('a call too many', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => stage.caller.basket(basketOf())));
    const tooMany = answers.filter((answer) => answer.status === 429);
    return tooMany.length > 0 && tooMany;
  });
  for (const answer of refused) expectExample(answer as Answer, ERROR_EXAMPLES.tooFast, BASKET_PATH);
});
