/** An error of the console is logged and told to whoever asked: gateways end with its process, and so it goes on. */
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { OpsServer, type OpsSources } from '../../packages/console/src/server.ts';
import { ask, OPS_TOKEN } from '../ops/admin-client.ts';
import { basketOf } from '../support/baskets.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/wait.ts';
import { SABOTEUR } from './support.ts';

const stage = useService({ env: { OPS_TOKEN, NODE_OPTIONS: SABOTEUR } });
const explain = (name: string) =>
  ask(stage.service.opsUrl, 'POST /admin/explain', { body: basketOf([{ name: `sabotage-${name}` }]) });
const faults = (msg: string) => stage.service.log.filter((line) => line.msg === msg).map(({ fault }) => fault);

test('an answer that cannot be rendered is one error with its request ID', async () => {
  const { status, body, headers } = await explain('answer');
  expect([status, body.error]).toMatchObject([500, { requestId: headers.get('X-Request-Id') }]);
  await until('its line', () => faults('administration failed').length > 0);
  expect(faults('administration failed')).toEqual([expect.stringContaining('where an answer is rendered')]);
  expect((await explain('no more')).status).toBe(200);
});

test('the primary logs a rejection that nobody handles, and it and its gateways go on', async () => {
  const { gateways } = stage.service;
  expect((await explain('unhandled')).status).toBe(200);
  await until('its line', () => faults('unhandled rejection').length > 0);
  expect(faults('unhandled rejection')).toEqual([expect.stringContaining('that nobody handles')]);
  expect((await stage.caller.basket(basketOf())).status).toBe(200);
  expect([stage.service.isAlive, stage.service.gateways]).toEqual([true, gateways]);
});

test('every path whose figures cannot be read says so, and the live page’s readings are logged once in a row', async () => {
  const lines: { msg: string; fault: string }[] = [];
  const log = pino(
    new Writable({
      write(chunk: Buffer, _, done) {
        lines.push(JSON.parse(chunk.toString()));
        done();
      },
    }),
  );
  let readings = 0;
  const registry = () => {
    readings += 1;
    throw new Error('no figures');
  };
  const sources = {
    ...{ registry, refresh: async () => undefined, readiness: registry, refusals: () => [] },
    administration: { log },
  } as unknown as OpsSources;
  const ops = new OpsServer(sources, []);
  const url = `http://127.0.0.1:${await ops.listen('127.0.0.1', 0)}`;
  for (const path of ['/metrics', '/live', '/readyz']) {
    const answer = await fetch(url + path);
    expect([path, answer.status, await answer.json()]).toEqual([path, 500, { error: expect.any(String) }]);
  }
  const seen = readings;
  await until('three readings of the live page', () => readings >= seen + 3, 60_000);
  await ops.close();
  expect(lines.every(({ msg, fault }) => msg === 'operations port failed' && fault.includes('no figures'))).toBe(true);
  // The page reads by itself each second, also between two that are asked for.
  const ofPage = lines.filter(({ fault }) => fault.includes('#tick'));
  expect([ofPage.length, lines.length]).toEqual([1, 4]);
});
