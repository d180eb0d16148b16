/** Readiness of several gateways: what has been is not forgotten because nobody asked. */
import { expect, test } from 'vitest';
import type { GatewayProcess } from '../../src/primary/gateway-process.ts';
import { GatewayReadiness } from '../../src/primary/gateway-readiness.ts';

const SERVING = { isServing: true, isListening: true, isSilent: false, hasEnded: false, reasons: [] };
const STARTING = { ...SERVING, isServing: false, isListening: false, reasons: ['starting'] };
const RED = { ...SERVING, isServing: false, reasons: ['redis: unreachable'] };

/** Gateways whose state a test changes; after each change the primary looks. */
function useGateways() {
  const members = [STARTING, STARTING] as unknown as GatewayProcess[];
  const readiness = new GatewayReadiness(members, () => false);
  const become = (...states: readonly object[]) => {
    members.splice(0, members.length, ...(states as readonly GatewayProcess[]));
    readiness.look();
  };
  return { readiness, become };
}

test.each([true, false])(
  'once all have served, one that serves is enough, whether anybody asked (%s) or not',
  (asks) => {
    const { readiness, become } = useGateways();
    become(SERVING, SERVING);
    if (asks) expect(readiness.red).toBeUndefined();
    become(SERVING, RED);
    expect(readiness.red).toBeUndefined();
    expect(readiness.fact).toContain('1 of 2 processes serve');
  },
);

test('at the start every gateway is waited for, however often somebody asks', () => {
  const { readiness, become } = useGateways();
  become(SERVING, STARTING);
  expect(readiness.red).toContain('1 of 2 processes serve; 2: starting');
  become(STARTING, SERVING);
  expect(readiness.red).toContain('1 of 2 processes serve; 1: starting');
});
