/** Two services on one DATA_DIR, as a user has them: by mistake, or the new one beside the old one for a moment. */
import { afterAll, expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { cleanUp, isAlive, managedRedisPid, temporaryDirectory } from '../support/cleanup.ts';
import { type LogLine, Service } from '../support/service.ts';
import { newSecret } from '../support/signer.ts';
import { until } from '../support/wait.ts';

afterAll(cleanUp);

const secrets = [newSecret()];

function start(dataDirectory: string, env: Record<string, string> = {}): Promise<Service> {
  return Service.start({ dataDirectory, secrets, env });
}

async function expectAnswered(service: Service): Promise<void> {
  expect((await service.newCaller().basket(basketOf())).status).toBe(200);
}

test('one ends, cannot start or is killed: the other one answers on, with the same Redis; the last ones end it, both at once', async () => {
  const dataDirectory = temporaryDirectory();
  const first = await start(dataDirectory, { PROCESSES: '2' });
  const pid = managedRedisPid(dataDirectory) as number;
  const second = await start(dataDirectory);
  const basket = basketOf();
  const answer = await first.newCaller().basket(basket);
  const again = await second.newCaller().basket(basket);
  expect([again.isReplayed, again.text]).toEqual([true, answer.text]);
  await second.stop();

  // Started twice by mistake: its port is taken, and it ends at once.
  const mistake = Service.spawn({ dataDirectory, secrets, env: { PORT: new URL(first.baseUrl).port } });
  expect((await mistake.exited).code).toBe(1);
  expect(mistake.output.join('\n')).toContain('PORT');

  await expectAnswered(first);
  // A machine that stands still lets Redis fall silent; one that is ended closes its connections.
  const isOfRedis = ({ msg, reason }: LogLine) =>
    /^(redis down|managed redis)$/.test(String(msg)) && reason !== 'no answer';
  expect(first.log.filter(isOfRedis)).toEqual([]);

  const third = await start(dataDirectory);
  await first.kill('SIGKILL');
  await expectAnswered(third);
  expect(managedRedisPid(dataDirectory)).toBe(pid);

  const fourth = await start(dataDirectory);
  await expectAnswered(fourth);
  await Promise.all([third, fourth].map((service) => service.stop()));
  await until('its end', () => !isAlive(pid));
});
