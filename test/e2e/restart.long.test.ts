/**
 * kill -9 of the service, of its Redis, of both, at random moments under load: every answered call replays byte for byte
 * after the restart, nothing is held twice, and no hold outlives its time. The rounds are seeded and have members of
 * their own, so that a round can be judged and repeated alone.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../../packages/simulator/src/random.ts';
import type { Answer } from '../support/answer.ts';
import { basketOf, randomBasket, saleOf } from '../support/baskets.ts';
import { type Caller, patiently } from '../support/caller.ts';
import { cleanUp } from '../support/cleanup.ts';
import { configurationOf, singleUseMembers } from '../support/configuration.ts';
import { timesCases } from '../support/effort.ts';
import { holdsPerMember } from '../support/holds.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { newSecret } from '../support/signer.ts';
import { sleep, until } from '../support/wait.ts';
import type { BasketBody, SaleBody } from '../support/wire.ts';

const ROUNDS = timesCases(1);
const MEMBERS_PER_ROUND = 4;
const HOLD_MS = 10_000;
const VICTIMS = ['both', 'service', 'redis'] as const;

const secrets = [newSecret()];
const configuration = configurationOf({
  holdMinutes: HOLD_MS / 60_000,
  moreMembers: singleUseMembers('guest', ROUNDS * MEMBERS_PER_ROUND),
});

let redis: RedisServer;
let service: Service;
let caller: Caller;

/** Members whose benefit is used up by a sale that was answered, and those for whom it may be, since no answer came. */
const soldOut = new Set<string>();
const perhapsSold = new Set<string>();

async function startService(): Promise<void> {
  service = await Service.start({ redisUrl: redis.url, secrets, configuration });
  caller = service.newCaller({ isPatient: false });
}

beforeAll(async () => {
  redis = await RedisServer.launch(['--appendfsync', 'always']);
  await startService();
});

afterAll(async () => {
  try {
    await service.stop();
    await redis.stop();
  } finally {
    cleanUp();
  }
});

interface Sent<Body> {
  readonly body: Body;
  /** Undefined when the connection died or the answer was 503: then nobody knows whether it was done. */
  readonly answer: Answer | undefined;
}

async function attempt(send: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    const answer = await send();
    return answer.status === 200 ? answer : undefined;
  } catch (fault) {
    // What the judge found must not pass for a broken connection.
    if (fault instanceof Error && fault.message.startsWith('The answer breaks')) throw fault;
    return undefined;
  }
}

describe.each(Array.from({ length: ROUNDS }, (_, seed) => [seed, VICTIMS[seed % VICTIMS.length]] as const))(
  'round %d, kill -9 of %s',
  (seed, victim) => {
    test('what was answered stays answered, and nothing is held twice', async () => {
      const random = new Random(seed);
      const members = Array.from(
        { length: MEMBERS_PER_ROUND },
        (_, index) => `guest-${seed * MEMBERS_PER_ROUND + index}`,
      );
      const baskets: Sent<BasketBody>[] = [];
      const sales: Sent<SaleBody>[] = [];
      let isKilled = false;
      const tills = Array.from({ length: 6 }, async (_, till) => {
        const choice = new Random(seed * 100 + till);
        while (!isKilled) {
          const loyaltyId = choice.chance(0.5) ? choice.pick(members) : 'member-twenty';
          const body = choice.chance(0.1) ? randomBasket(choice, 60, { loyaltyId }) : basketOf([{}], { loyaltyId });
          const answer = await attempt(() => caller.basket(body));
          baskets.push({ body, answer });
          if (answer?.json().status !== 'applied' || !choice.chance(0.5)) continue;
          const sale = saleOf(body.calculationId, choice.chance(0.5) ? 'applied' : 'cancelled');
          if (sale.status === 'applied') perhapsSold.add(loyaltyId);
          const settled = await attempt(() => caller.sale(sale));
          sales.push({ body: sale, answer: settled });
          if (settled && sale.status === 'applied') soldOut.add(loyaltyId);
        }
      });
      // A service that has just started may take a moment; a kill before the first answer would prove nothing.
      await until('the first answer', () => baskets.some(({ answer }) => answer));
      await sleep(random.between(0, 200));
      if (victim !== 'redis') await service.kill('SIGKILL');
      if (victim !== 'service') await redis.kill();
      isKilled = true;
      await Promise.all(tills);
      if (victim !== 'service') await redis.start();
      if (victim !== 'redis') await startService();
      await service.untilReady();

      await Promise.all(baskets.map(expectKept));
      await Promise.all(sales.map(expectSettled));
      expect(Math.max(0, ...(await holdsPerMember(redis)))).toBeLessThanOrEqual(1);
      for (const member of members) expectOnce(member, baskets, sales);
    });
  },
);

/** An answered call replays its bytes; one without an answer can be sent again and is then answered for good. */
async function expectKept({ body, answer }: Sent<BasketBody>): Promise<void> {
  const again = await patiently(() => caller.basket(body));
  expect(again.status).toBe(200);
  if (!answer) return;
  expect(again.isReplayed).toBe(true);
  expect(again.bytes.equals(answer.bytes)).toBe(true);
}

async function expectSettled({ body, answer }: Sent<SaleBody>): Promise<void> {
  const { result } = (await patiently(() => caller.sale(body))).json();
  expect(answer ? ['duplicate'] : ['duplicate', 'recorded']).toContain(result);
}

/** Between two releases a single-use benefit is given once: applied ≤ 1 + cancelled events that may have released it. */
function expectOnce(member: string, baskets: readonly Sent<BasketBody>[], sales: readonly Sent<SaleBody>[]): void {
  const mine = baskets.filter(({ body, answer }) => body.loyaltyId === member && answer?.json().status === 'applied');
  const ids = new Set(mine.map(({ body }) => body.calculationId));
  const released = sales.filter(({ body }) => ids.has(body.calculationId) && body.status === 'cancelled').length;
  expect(mine.length).toBeLessThanOrEqual(1 + released);
}

test('no hold outlives its time: whoever has not bought can use the benefit again, whoever has cannot', async () => {
  await sleep(HOLD_MS + 500);
  for (let index = 0; index < ROUNDS * MEMBERS_PER_ROUND; index += 1) {
    const loyaltyId = `guest-${index}`;
    // The same one where it is refused at first: another one would find the benefit held by it.
    const basket = basketOf([{}], { loyaltyId });
    const { status } = (await patiently(() => caller.basket(basket))).json();
    if (soldOut.has(loyaltyId)) expect(status, loyaltyId).toBe('unchanged');
    else if (!perhapsSold.has(loyaltyId)) expect(status, loyaltyId).toBe('applied');
  }
});
