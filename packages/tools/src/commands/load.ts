import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isStaging } from '../../../../src/programme/environment-name.ts';
import { dealCalls, makeUpBaskets } from '../load/calls.ts';
import { Deployment, findEnvironment } from '../load/deployment.ts';
import { type LoadArguments, type LoadInput, readLoadInput } from '../load/options.ts';
import { percentilePicture } from '../load/picture.ts';
import { play } from '../load/play.ts';
import { describeCallers, isClean, renderReport } from '../load/report.ts';
import type { Tally } from '../load/tally.ts';
import { closeOnSignals } from '../terminal/closing.ts';
import { Progress } from '../terminal/progress.ts';

/**
 * `load`: signed calls to a deployment that runs already, at a rate that does not depend on its answers, or as fast as it
 * answers. Resolves with 0 when every call was answered with 200, 429 or 503, and with 1 when one was not. Throws when the
 * load cannot be made.
 */
export async function load(given: LoadArguments): Promise<number> {
  const input = readLoadInput(given);
  const baseUrl = new URL(given.baseUrl);
  const deployment = new Deployment({ ...input, baseUrl, connections: given.connections });
  // The first signal ends the load, and what was measured is printed.
  const closing = closeOnSignals();
  try {
    const environment = await findEnvironment(deployment);
    refuseProduction(environment, given.yesProduction === true);
    // Before the load, whose figures would be lost.
    mkdirSync(given.out, { recursive: true });
    process.stdout.write(
      `${baseUrl.origin} (${environment ?? 'environment unknown'}): ${describeLoad(given, input)}\n\n`,
    );
    const progress = new Progress('answers');
    const baskets = input.baskets ?? makeUpBaskets(input.place!, given.lines, given.seed);
    const calls = dealCalls(baskets, input.members ?? []);
    const onProgress = (answered: number, share: number): void => progress.show(answered, share);
    const { tally, seconds } = await play({ deployment, calls, given, closing, onProgress });
    progress.finish(tally.answered);
    if (tally.sent === 0) throw new Error('no call was sent; take a longer --duration, or a higher --rate');
    process.stdout.write(`${renderReport(tally, seconds)}\n`);
    writeFiles(given.out, baseUrl, tally);
    return isClean(tally) ? 0 : 1;
  } finally {
    await deployment.close();
  }
}

/** A load fills Redis and the rate limit of whoever is served there, so it needs a word where guests are served. */
function refuseProduction(environment: string | undefined, isPermitted: boolean): void {
  if (isPermitted || (environment !== undefined && isStaging(environment))) return;
  const found = environment === undefined ? 'does not say that it is staging' : `is ${environment}`;
  throw new Error(`the deployment ${found}; add --yes-production to load it`);
}

function describeLoad({ rate, duration, connections, lines }: LoadArguments, { baskets }: LoadInput): string {
  const pace = rate === 'max' ? 'as fast as it answers' : `${rate} calls per second`;
  const content = baskets ? `${baskets.length} baskets of a file` : `baskets of ${lines} lines`;
  return `${pace}, ${duration} s, ${content}, up to ${connections} connections`;
}

function writeFiles(folder: string, baseUrl: URL, tally: Tally): void {
  const { caller, server } = tally;
  const curves = [
    { label: 'caller, from the scheduled send', latencies: caller.summarize() },
    { label: 'service, by Server-Timing', latencies: server.summarize() },
  ];
  const files = {
    'caller.hgrm': caller.renderDistribution(),
    'service.hgrm': server.renderDistribution(),
    'latency.svg': percentilePicture(`Latency of basket calls, ${baseUrl.host}`, curves, describeCallers(tally)),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  process.stdout.write(`Written to ${folder}: ${Object.keys(files).join(', ')}\n`);
}
