/** The kit against the service, and against the service behind a proxy that breaks the contract in one way at a time. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readingOf, scrape } from '../../../test/support/metrics.ts';
import {
  type Contents,
  readContents,
  restoreContents,
  useSharedService,
} from '../../../test/support/shared-service.ts';
import { until } from '../../../test/support/wait.ts';
import { type Certificate, certify } from '../src/kit/certify.ts';
import { STANDING_RULES } from '../src/kit/judge/standing.ts';
import type { KitOptions } from '../src/kit/options.ts';
import { honest, PlantingProxy } from './planting-proxy.ts';
import { ANSWER_PLANTS } from './plants/answers.ts';
import { CALCULATION_PLANTS } from './plants/calculations.ts';
import { ECHO_PLANTS } from './plants/echo.ts';
import { PROTOCOL_PLANTS } from './plants/protocol.ts';
import { SCHEMA_PLANTS } from './plants/schema.ts';
import { TRANSPORT_PLANTS } from './plants/transport.ts';
import { kitOptions } from './run-kit.ts';

const stage = useSharedService();
let proxy: PlantingProxy;
let before: Contents;
beforeAll(async () => {
  before = await readContents(stage.redis);
  proxy = await PlantingProxy.start(stage.service.baseUrl, stage.caller.secret);
});
afterAll(() => proxy?.stop());

/** Requests that give every standing rule something to judge. */
const EVERY_KIND = ['statuses', 'identities', 'echo.references', 'schema.not-json', 'sales.recorded'];

function options(baseUrl: string, more: readonly string[] = []): KitOptions {
  const own = ['--member-limited', 'member-single', '--timing-calls', '3'];
  return kitOptions(baseUrl, stage.caller.secret, [...own, ...more]);
}

function namesOf(certificate: Certificate, outcome: string): string[] {
  return certificate.results.filter((result) => result.outcome === outcome).map(({ name }) => name);
}

/** Slowness of a busy machine is no fault of the service. */
function failuresOf(certificate: Certificate): unknown[] {
  return certificate.results.filter(({ name, outcome }) => outcome === 'failed' && !name.startsWith('timings.'));
}

const RUNS_LIMIT_MS = 100_000;

/** How many calls the service has refused because its machine stood still. */
const heldUp = async () => readingOf(await scrape(stage.service), 'loyalty_requests_total', { code: 'unavailable' });

/**
 * A run in which the service refused no call because the machine stood still: such a refusal hides what the kit looks for. It may also
 * leave a reservation without the call that gives it back, so each run finds Redis as it was.
 */
function certifyServed(baseUrl: string, more: readonly string[] = []): Promise<Certificate> {
  return until(
    'a run in which every call is served',
    async () => {
      await restoreContents(stage.redis, before);
      const heldUpBefore = await heldUp();
      const certificate = await certify(options(baseUrl, more));
      return (await heldUp()) === heldUpBefore && certificate;
    },
    RUNS_LIMIT_MS,
  );
}

test('the service conforms', async () => {
  const certificate = await certifyServed(stage.service.baseUrl);
  expect(failuresOf(certificate)).toEqual([]);
  // Three rules were not put to the test, so the run certifies nothing yet.
  const leftOut = ['reservations.consumed', 'idempotency.after-restart', 'rate-limit.burst'];
  expect(namesOf(certificate, 'skipped')).toEqual(leftOut);
  expect(certificate.leftOut.map(({ name }) => name)).toEqual(leftOut);
  expect(certificate.verdict).not.toBe('conforms');
  expect(certificate.results.length).toBeGreaterThan(100);
  expect(certificate.timings.map(({ lines, calls }) => [lines, calls])).toEqual([
    [20, 3],
    [20, 3],
    [200, 3],
    [200, 3],
  ]);
});

test('the proxy alone is not noticed', async () => {
  proxy.set(honest);
  expect(failuresOf(await certifyServed(proxy.baseUrl))).toEqual([]);
});

test('a service without a rate limit is found', async () => {
  const certificate = await certifyServed(stage.service.baseUrl, ['--rate-limit', '--only', 'rate-limit']);
  expect(namesOf(certificate, 'failed')).toEqual(['rate-limit.burst']);
});

const PLANTS = [
  ...[ANSWER_PLANTS, PROTOCOL_PLANTS, SCHEMA_PLANTS],
  ...[CALCULATION_PLANTS, ECHO_PLANTS, TRANSPORT_PLANTS],
].flatMap((planted) =>
  Object.entries(planted).flatMap(([foundBy, plants]) =>
    Object.entries(plants).map(([what, plant]) => [what, foundBy, plant] as const),
  ),
);

describe('a planted violation is found', () => {
  test.each(PLANTS)('%s: by %s', async (_, foundBy, plant) => {
    proxy.set(plant);
    const isStanding = foundBy.startsWith('answers.') || STANDING_RULES.some(({ name }) => name === foundBy);
    const only = (isStanding ? EVERY_KIND : [foundBy]).flatMap((name) => ['--only', name]);
    const look = () => certifyServed(proxy.baseUrl, only);
    // A machine that stands still hides what takes long among what it holds up: then the kit looks again.
    const lookAgain = () =>
      until(foundBy, async () => {
        const seen = await look();
        return namesOf(seen, 'failed').includes(foundBy) && seen;
      });
    const certificate = await (foundBy.startsWith('timings.') ? lookAgain() : look());
    expect(namesOf(certificate, 'failed')).toContain(foundBy);
    const row = certificate.results.find(({ name }) => name === foundBy);
    // A finding must say what was seen, or nobody can mend it.
    expect(row?.seen.join('').length).toBeGreaterThan(10);
  });
});
