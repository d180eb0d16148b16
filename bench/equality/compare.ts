import { isDeepStrictEqual } from 'node:util';
import { Contestant, type ContestantName } from '../machine/contestant.ts';
import { type Case, createCases, createOutageCases, createRateLimitCases } from './cases.ts';
import { openTarget, type SeenAnswer, sendCase } from './send.ts';

/** Contestants that answer the whole contract. The floor makes no decisions, so only its sizes are compared. */
const EQUALS: readonly ContestantName[] = ['service', 'fastify', 'express'];

/**
 * The tolerated share by which the floor's answers may differ in size from the service's: different amounts have
 * different digits.
 */
const SIZE_TOLERANCE = 0.05;

const BURST = 2;
const MOST_REPEATS = 20;
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
  const equals = names.filter((name) => EQUALS.includes(name));
  const cases = createCases();
  const limited = { rateLimit: { sustained: 1, burst: BURST } };
  const outageCases = createOutageCases();
  const answers = await collect(equals, (name) => askAll(name, cases, outageCases));
  const limitedCases = createRateLimitCases(BURST);
  const limitedAnswers = await collect(equals, (name) => askAll(name, limitedCases, [], limited));
  return {
    requests: cases.length + limitedCases.length + outageCases.length,
    differences: [
      ...findDifferences([...cases, ...outageCases], answers),
      ...findDifferences(limitedCases, limitedAnswers),
      ...(names.includes('floor') ? await findSizeDifferences(cases, answers) : []),
    ],
  };
}

type Answers = ReadonlyMap<ContestantName, readonly SeenAnswer[]>;

async function collect(
  names: readonly ContestantName[],
  ask: (name: ContestantName) => Promise<SeenAnswer[]>,
): Promise<Answers> {
  const answers = new Map<ContestantName, SeenAnswer[]>();
  for (const name of names) answers.set(name, await ask(name));
  return answers;
}

/** So often a contestant starts anew because the machine held one of its calls up. */
const MOST_ATTEMPTS = 4;

/** Sends all cases, then stops Redis and sends those of the outage. */
async function askAll(
  name: ContestantName,
  cases: readonly Case[],
  outageCases: readonly Case[] = [],
  options: { rateLimit?: { sustained: number; burst: number } } = {},
): Promise<SeenAnswer[]> {
  for (let attempt = 1; ; attempt += 1) {
    const { answers, wasHeldUp } = await askOnce(name, cases, outageCases, options);
    if (!wasHeldUp || attempt === MOST_ATTEMPTS) return answers;
  }
}

async function askOnce(
  name: ContestantName,
  cases: readonly Case[],
  outageCases: readonly Case[],
  options: { rateLimit?: { sustained: number; burst: number } },
): Promise<{ answers: SeenAnswer[]; wasHeldUp: boolean }> {
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
  try {
    const answers: SeenAnswer[] = [];
    for (const sent of cases) answers.push(await ask(sent));
    if (outageCases.length === 0) return { answers, wasHeldUp };
    contestant.redis.pause();
    await new Promise((resolve) => setTimeout(resolve, OUTAGE_MS));
    // A machine that stood still notices the outage late: the first calls of it wait for their deadline, and these are told.
    await Promise.all(outageCases.map(ask));
    answers.push(...(await Promise.all(outageCases.map(ask))));
    return { answers, wasHeldUp };
  } finally {
    target.close();
    contestant.redis.resume();
    await contestant.stop();
  }
}

function findDifferences(cases: readonly Case[], answers: Answers): string[] {
  const [[reference, expected] = [], ...others] = [...answers];
  if (!reference || !expected) return [];
  return cases.flatMap((sent, index) => {
    const wanted = expected[index] as SeenAnswer;
    const status =
      wanted.status === sent.status ? [] : [`${sent.name}: ${reference} answered ${wanted.status}, not ${sent.status}`];
    const different = others.flatMap(([name, seen]) => {
      const found = seen[index] as SeenAnswer;
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
async function findSizeDifferences(cases: readonly Case[], answers: Answers): Promise<string[]> {
  const [expected] = answers.values();
  const applied = cases.filter((_, index) => (expected?.[index]?.body as { status?: string })?.status === 'applied');
  const sizes = new Map(cases.map((sent, index) => [sent, expected?.[index]?.bytes ?? 0]));
  const seen = await askAll('floor', applied);
  return applied.flatMap((sent, index) => {
    const [found, wanted] = [seen[index]?.bytes ?? 0, sizes.get(sent) ?? 0];
    const isAlike = seen[index]?.status === 200 && Math.abs(found - wanted) <= wanted * SIZE_TOLERANCE + 100;
    return isAlike
      ? []
      : [`${sent.name}: the floor answered ${seen[index]?.status} with ${found} bytes, not ${wanted}`];
  });
}
