/** SIGUSR1 opens no debugger for every local user. */
import { expect, test } from 'vitest';
import { isAlive } from '../support/cleanup.ts';
import { useService } from '../support/service.ts';
import { sleep, until } from '../support/wait.ts';

const stage = useService({ env: { PROCESSES: '2' } });

test('SIGUSR1 opens no debugger in the primary or its gateways', async () => {
  const all = [stage.service.pid, ...stage.service.gateways];
  for (const pid of all) process.kill(pid, 'SIGUSR1');
  const said = (words: string) => stage.service.output.filter((line) => line.includes(words));
  // The gateways have the option that ignores the signal; the primary of the tests, started without it, answers.
  await until('the answer of the primary', () => said('SIGUSR1').length > 0);
  await sleep(500);
  expect(said('Debugger listening')).toEqual([]);
  expect(all.length).toBe(3);
  expect(all.every(isAlive)).toBe(true);
});
