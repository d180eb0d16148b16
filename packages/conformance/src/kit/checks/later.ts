import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { ERRORS } from '@loyalty/contract/errors';
import type { Checks, Session } from '../session.ts';
import { startTimesAt, whyUnproven } from '../started.ts';
import { atAnotherTill, expectReplay } from './idempotency.ts';

/** Replays of calls that are seconds old, and of calls before a restart (interface, section 4.10: within 24 hours). */

const LATER_MS = 2_000;
/** A deployment that is started again has so long to answer. */
const RESTART_PATIENCE_MS = 60_000;
const POLL_MS = 100;

export const laterChecks: Checks = {
  'idempotency.later': {
    section: '4.10',
    title: 'Calls of the beginning of the run are answered as then, and their sale is a duplicate',
    run: async (session) => {
      await session.early?.untilOld(LATER_MS);
      await expectAllAsBefore(session, 'seconds later');
    },
  },
  'idempotency.after-restart': {
    section: '4.10',
    title: 'After the command of --between-replays they are still answered as then',
    skippedBecause: ({ betweenReplays }) =>
      betweenReplays === undefined ? 'not shown: needs --between-replays' : undefined,
    run: async (session) => {
      const { betweenReplays: command = '', metricsUrl } = session.options;
      const before = await startTimesAt(metricsUrl);
      const begunMs = performance.now();
      const code = await runCommand(command);
      session.expect(code === 0, `the command ended with ${code}`);
      session.reconnect();
      const isBack = await untilAnswered(session);
      session.expect(isBack, `no answer within ${RESTART_PATIENCE_MS / 1000} s of the command`);
      if (!isBack) return;
      await expectAllAsBefore(session, 'after the command');
      const after = await startTimesAt(metricsUrl);
      session.notShown = whyUnproven(metricsUrl, before, after, (performance.now() - begunMs) / 1000);
    },
  },
};

async function expectAllAsBefore(session: Session, when: string): Promise<void> {
  const { early } = session;
  if (!early) throw new Error('the calls of the beginning had none');
  for (const { basket, answer } of early.baskets) {
    expectReplay(session, answer, await session.basket(basket), when);
  }
  const changed = atAnotherTill(early.baskets[0]!.basket);
  await session.refused(changed, 'idempotency_conflict', `another body ${when}`);
  await session.settled(early.sale, 'duplicate', `the sale event ${when}`);
}

/** Runs it in a shell, with this process' terminal, so that it may ask a person to restart the deployment by hand. */
function runCommand(command: string): Promise<number | string> {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, stdio: 'inherit' });
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(code ?? signal ?? 0));
  });
}

/** A deployment that starts refuses connections, breaks them, or answers 503. */
async function untilAnswered(session: Session): Promise<boolean> {
  const endMs = performance.now() + RESTART_PATIENCE_MS;
  do {
    const status = await session.probe().catch(() => undefined);
    if (status !== undefined && status !== ERRORS.unavailable.status) return true;
    await sleep(POLL_MS);
  } while (performance.now() < endMs);
  return false;
}
