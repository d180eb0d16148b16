/** SIGUSR1 opens no debugger for every local user. */
import { expect, test } from 'vitest';
import { isAlive } from '../support/cleanup.ts';
import { childrenOf } from '../support/processes.ts';
import { useService } from '../support/service.ts';
import { sleep, until } from '../support/wait.ts';

const stage = useService({ env: { PROCESSES: '2' } });

test('SIGUSR1 opens no debugger in the supervisor or its processes', async () => {
  const all = [stage.service.pid, ...childrenOf(stage.service.pid)];
  for (const pid of all) process.kill(pid, 'SIGUSR1');
  const said = (words: string) => stage.service.output.filter((line) => line.includes(words));
  // The processes have the option that ignores the signal; the supervisor of the tests, started without it, answers.
  await until('the answer of the supervisor', () => said('SIGUSR1').length > 0);
  await sleep(500);
  expect(said('Debugger listening')).toEqual([]);
  expect(all.every(isAlive)).toBe(true);
});
