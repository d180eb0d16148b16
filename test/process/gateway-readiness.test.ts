/** Readiness of several gateways: what has been is not forgotten because nobody asked. */
import { expect, test } from 'vitest';
import type { GatewayProcess } from '../../src/primary/gateway-process.ts';
import { GatewayReadiness } from '../../src/primary/gateway-readiness.ts';

const SERVING = {
  ...{ phase: 'serving', isListening: true, reasons: [] },
  state: { red: {}, facts: { masters: 'one is away' } },
};
const STARTING = { phase: 'starting', isListening: false, reasons: ['starting'], state: undefined };
const RED = {
  ...{ phase: 'red', isListening: true, reasons: ['redis: unreachable'] },
  state: { red: { redis: 'unreachable' }, facts: {} },
};
const SILENT = { ...RED, phase: 'silent', reasons: ['no report for 2 s'] };

/** Gateways whose state a test changes; after each change the primary looks. */
function useGateways() {
  const placesOf = (states: readonly object[]) =>
    states.map((gateway) => ({ gateway: gateway as GatewayProcess, lastEnd: undefined }));
  const places = placesOf([STARTING, STARTING]);
  const readiness = new GatewayReadiness(places);
  const become = (...states: readonly object[]) => {
    places.splice(0, places.length, ...placesOf(states));
    readiness.look();
  };
  return { readiness, become };
}

test.each([true, false])(
  'once all have served, one that serves is enough, whether anybody asked (%s) or not',
  (asks) => {
    const { readiness, become } = useGateways();
    become(SERVING, SERVING);
    if (asks) expect(readiness.isReady).toBe(true);
    become(SERVING, RED);
    const facts = { processes: '1 of 2 processes serve; 2: redis: unreachable', masters: 'one is away' };
    expect(readiness.read()).toEqual({ causes: [], red: {}, facts });
  },
);

test('at the start every gateway is waited for, however often somebody asks', () => {
  const { readiness, become } = useGateways();
  become(SERVING, STARTING);
  const rest = { causes: ['processes'], facts: { masters: 'one is away' } };
  expect(readiness.read()).toEqual({ ...rest, red: { processes: '1 of 2 processes serve; 2: starting' } });
  become(STARTING, SERVING);
  expect(readiness.read()).toEqual({ ...rest, red: { processes: '1 of 2 processes serve; 1: starting' } });
});

test('a check of the gateways names the cause, unless one of them is silent', () => {
  const { readiness, become } = useGateways();
  become(SERVING, SERVING);
  become(RED, RED);
  const processes = '0 of 2 processes serve; 1: redis: unreachable; 2: redis: unreachable';
  expect(readiness.read()).toEqual({ causes: ['redis'], red: { processes, redis: 'unreachable' }, facts: {} });
  become(RED, SILENT);
  expect(readiness.read()).toMatchObject({ causes: ['processes'] });
  expect(readiness.isAnswering).toBe(true);
});

test('a check of the only gateway says it all', () => {
  const { readiness, become } = useGateways();
  become(RED);
  expect(readiness.read()).toEqual({ causes: ['redis'], red: { redis: 'unreachable' }, facts: {} });
});
