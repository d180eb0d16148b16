import { isDeepStrictEqual } from 'node:util';
import { Contestant, type ContestantName, type ContestantOptions } from '../machine/contestant.ts';
import { type Case, createCases, createOutageCase, createRateLimitCases } from './cases.ts';
import { openTarget, type SeenAnswer, sendCase } from './send.ts';

/**
 * The tolerated share by which the floor's answers may differ in size from the service's: different amounts have
 * different digits.
 */
const SIZE_TOLERANCE = 0.05;

const BURST = 2;
const MOST_REPEATS = 20;
/** So often a contestant starts anew because the machine held one of its calls up. */
const MOST_ATTEMPTS = 4;
/** After this time every contestant's breaker is open. */
const OUTAGE_MS = 700;

export interface Comparison {
  readonly requests: number;
  /** One sentence per request with different answers; empty when all are equal. */
  readonly differences: readonly string[];
}

/**
 * Sends the same requests to all contestants in the same order, each with its own Redis, to show that the measured
 * programs do the same work. Every status of the interface occurs except 500, which no request can provoke.
 */
export async function compareContestants(names: readonly ContestantName[]): Promise<Comparison> {
  const outage = createOutageCase();
  const [cases, limited] = [createCases(), createRateLimitCases(BURST)];
  const all = [...cases, outage, ...limited];
  const answers = new Map<ContestantName, SeenAnswer[]>();
  // The floor makes no decisions, so only its sizes are compared.
  for (const name of names.filter((one) => one !== 'floor')) {
    answers.set(name, [
      ...(await askAll(name, cases, { outage })),
      ...(await askAll(name, limited, { rateLimit: { sustained: 1, burst: BURST } })),
    ]);
  }
  const sizes = names.includes('floor') ? await findSizeDifferences(cases, [...answers.values()][0] ?? []) : [];
  return { requests: all.length, differences: [...findDifferences(all, [...answers]), ...sizes] };
}

type Asking = Pick<ContestantOptions, 'rateLimit'> & {
  /** Sent after the cases, while Redis is stopped. */
  readonly outage?: Case;
};

async function askAll(name: ContestantName, cases: readonly Case[], asking: Asking = {}): Promise<SeenAnswer[]> {
  for (let attempt = 1; ; attempt += 1) {
    const { answers, wasHeldUp } = await askOnce(name, cases, asking);
    if (!wasHeldUp || attempt === MOST_ATTEMPTS) return answers;
  }
}

async function askOnce(name: ContestantName, cases: readonly Case[], { outage, ...options }: Asking) {
  const contestant = await Contestant.start(name, options);
  const target = openTarget(contestant.url, contestant.secret);
  let wasHeldUp = false;
  const ask = async (sent: Case): Promise<SeenAnswer> => {
    let answer = await sendCase(target, sent);
    // A machine that stood still past the deadline had the call refused, or gave it time for another token of the rate
    // limit; neither tells anything about the contestant.
    const isByChance = () => answer.status !== sent.status && (answer.status === 503 || sent.status === 429);
    for (let again = 0; again < MOST_REPEATS && isByChance(); again += 1) {
      // A call that was refused so late has spent a token, and may have been stored.
      wasHeldUp ||= answer.status === 503;
      answer = await sendCase(target, sent);
    }
    return answer;
  };
  const answers: SeenAnswer[] = [];
  try {
    for (const sent of cases) answers.push(await ask(sent));
    if (!outage) return { answers, wasHeldUp };
    contestant.pauseRedis();
    await new Promise((resolve) => setTimeout(resolve, OUTAGE_MS));
    // A machine that stood still notices the outage late: the first call of it waits for its deadline, and this is told.
    await ask(outage);
    answers.push(await ask(outage));
    return { answers, wasHeldUp };
  } finally {
    target.close();
    contestant.resumeRedis();
    await contestant.stop();
  }
}

function findDifferences(
  cases: readonly Case[],
  [first, ...others]: readonly (readonly [ContestantName, readonly SeenAnswer[]])[],
): string[] {
  if (!first) return [];
  const [reference, expected] = first;
  return cases.flatMap((sent, index) => {
    const wanted = expected[index]!;
    const status =
      wanted.status === sent.status ? [] : [`${sent.name}: ${reference} answered ${wanted.status}, not ${sent.status}`];
    const different = others.flatMap(([name, seen]) => {
      const found = seen[index]!;
      const parts = (['status', 'body', 'headers'] as const).filter(
        (part) => !isDeepStrictEqual(found[part], wanted[part]),
      );
      const show = (answer: SeenAnswer) => parts.map((part) => JSON.stringify(answer[part]).slice(0, 300)).join(' ');
      return parts.length === 0 ? [] : [`${sent.name}: ${name} answered ${show(found)}, ${reference} ${show(wanted)}`];
    });
    return [...status, ...different];
  });
}

/** Compares sizes on the baskets that the service discounts, because the floor discounts every basket. */
async function findSizeDifferences(cases: readonly Case[], expected: readonly SeenAnswer[]): Promise<string[]> {
  const applied = cases
    .map((sent, index) => ({ sent, wanted: expected[index] }))
    .filter(({ wanted }) => (wanted?.body as { status?: string } | undefined)?.status === 'applied');
  const seen = await askAll(
    'floor',
    applied.map(({ sent }) => sent),
  );
  return applied.flatMap(({ sent, wanted }, index) => {
    const { status, bytes } = seen[index]!;
    const isAlike = status === 200 && Math.abs(bytes - wanted!.bytes) <= wanted!.bytes * SIZE_TOLERANCE + 100;
    return isAlike ? [] : [`${sent.name}: the floor answered ${status} with ${bytes} bytes, not ${wanted!.bytes}`];
  });
}
