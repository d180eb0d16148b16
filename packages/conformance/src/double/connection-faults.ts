import { HARD_CAP_MS, RULES } from './attempt-rule.ts';
import { isSame } from './basket-faults.ts';
import { countAttempts, type Fault, inMs } from './faults.ts';
import type { BasketMisbehaviour, ConnectionAct, RightOutcome } from './misbehaviour.ts';
import type { Arming, Run, SeenRequest } from './run.ts';

/** What a caller did wrong with a connection that failed before the request was sent (interface, section 4.8). */

/** A machine may stand still between an attempt and its arrival. */
const SLACK_MS = 1_000;

/** What a row of the connection has shown: its faults, the attempts that were seen, and whether it was played at all. */
export interface ConnectionFinding {
  readonly isPlayed: boolean;
  readonly calls: number;
  readonly seen: number;
  readonly faults: readonly Fault[];
  /** Said of a row that was not played, or of one that shows less than it seems. */
  readonly remark?: string;
}

/** `isRetryShown` is true when another row has shown that the caller retries. */
export function connectionFindingOf(
  run: Run,
  code: string,
  { act, right }: BasketMisbehaviour & { readonly act: ConnectionAct },
  isRetryShown: () => boolean,
): ConnectionFinding {
  const armings = run.armings.filter((arming) => arming.code === code);
  const isReported = (arming: Arming) => lostEventsAfter(run, arming).some(({ event }) => isRight(right, event!));
  if (act.how === 'untrusted') return untrustedFinding(run, armings, isReported);
  if (act.how === 'cut-handshake') return handshakeFinding(run, armings, isReported);
  if (armings.length === 0) return { isPlayed: false, calls: 0, seen: 0, faults: [] };
  const arrived = armings.map((arming) => arrivalsAfter(run, arming));
  const seen = arrived.reduce((sum, requests) => sum + requests.length, 0);
  const found = { isPlayed: true, calls: armings.length, seen, faults: [] };
  const lost = armings.filter((_, index) => arrived[index]!.length === 0);
  if (lost.length === 0) return found;
  const isRetryKnown = act.how === 'reset' || isRetryShown();
  // A retry that comes while the double still refuses cannot be seen, so only the short row asks for it.
  if (isRetryKnown || act.forMs > LONGEST_JUDGED_MS) {
    if (!lost.every(isReported)) return { ...found, isPlayed: false, remark: UNREPORTED };
    return { ...found, ...(!isRetryKnown && { remark: UNSEEN }) };
  }
  const sentence = `Connections were refused for ${act.forMs} ms, and no attempt came after that. One retry is due, about 100 ms later. A retry within the ${act.forMs} ms is not seen; play tls-cut-handshake, which shows every attempt.`;
  return { ...found, faults: [{ fault: 'no-retry', sentence, rule: RULES.patience }] };
}

/** A right caller may retry within this time, and then the double sees nothing of it. */
const LONGEST_JUDGED_MS = 100;
const UNSEEN = 'The double does not see attempts that it refuses; tls-cut-handshake shows the retry.';
const UNREPORTED = 'The call never arrived, and no event has reported it as failed so far: report its sale.';

/** The requests of the first basket call after a row was armed: the one that names the row, else an honest one in time. */
function arrivalsAfter({ seen }: Run, arming: Arming): SeenRequest[] {
  const kept = seen.filter(({ atMs, refused }) => atMs >= arming.atMs && refused === undefined);
  const [after, events] = [kept.filter(({ event }) => !event), kept.filter(({ event }) => event)];
  const isInTime = ({ atMs }: SeenRequest) => atMs <= arming.atMs + HARD_CAP_MS + SLACK_MS;
  const hasArrived = ({ idempotencyKey: key }: SeenRequest) =>
    seen.some((one) => !one.event && one.idempotencyKey === key);
  // A sale whose call never arrived is that of the armed call.
  const isLost = events.some(
    (one) => one.event?.failureReason === 'connection_error' && isInTime(one) && !hasArrived(one),
  );
  const first =
    after.find(({ named }) => named === arming.code) ??
    (isLost ? undefined : after.find((one) => one.named === undefined && one.code === undefined && isInTime(one)));
  return first ? after.filter(({ idempotencyKey }) => idempotencyKey === first.idempotencyKey) : [];
}

/**
 * Nothing of a request leaves before the handshake is over, so every connection is seen. It may be that of a sale event:
 * only when the event of such a call came by plain HTTP do the connections count as attempts of the basket call.
 */
function handshakeFinding(
  run: Run,
  armings: readonly Arming[],
  isReported: (arming: Arming) => boolean,
): ConnectionFinding {
  const played = armings.filter(({ connections }) => connections.length > 0);
  const seen = played.reduce((sum, { connections }) => sum + connections.length, 0);
  const found = { calls: played.length, seen };
  const isClear = (arming: Arming) => lostEventsAfter(run, arming).length > 0;
  const faults = played.flatMap((arming) => handshakeFaults(arming, isClear(arming)));
  if (faults.length === 0 && !played.every(isClear)) return { ...found, isPlayed: false, faults, remark: UNCLEAR };
  if (faults.length === 0 && !played.every(isReported)) {
    return { ...found, isPlayed: false, faults, remark: UNREPORTED };
  }
  return { ...found, isPlayed: played.length > 0, faults, ...(played.length === 0 && plainRemark(armings)) };
}

const UNCLEAR =
  'A connection after the first may have been that of the sale event; report the sale by http, and the double can tell.';

/** The events since then whose calls never arrived: they took another way than their calls. */
function lostEventsAfter({ seen }: Run, { atMs }: Arming): SeenRequest[] {
  const arrived = new Set(seen.filter(({ event }) => !event).map(({ idempotencyKey }) => idempotencyKey));
  return seen.filter((one) => one.event && one.atMs >= atMs && !arrived.has(one.idempotencyKey));
}

function isRight(right: readonly RightOutcome[], event: NonNullable<SeenRequest['event']>): boolean {
  return right.some((outcome) => isSame(outcome, event));
}

function handshakeFaults({ connections }: Arming, isClear: boolean): Fault[] {
  const [first, second] = connections;
  if (!second) {
    const sentence = 'The connection failed before the request was sent, and no second attempt came; one retry is due.';
    return [{ fault: 'no-retry', sentence, rule: RULES.patience }];
  }
  if (!isClear) return [];
  if (connections.length > 2) return [tooMany(connections.length)];
  const gapMs = second.atMs - first!.atMs;
  if (gapMs <= HARD_CAP_MS + SLACK_MS) return [];
  const sentence = `The retry came after ${inMs(gapMs)}; the limit from the first attempt to the decision is ${HARD_CAP_MS} ms.`;
  return [{ fault: 'retry-too-late', sentence, rule: RULES.patience }];
}

function tooMany(count: number): Fault {
  const sentence = `${countAttempts(count)} were made; the connection failed before the request was sent, so one retry is permitted, and no more.`;
  return { fault: 'too-many-attempts', sentence, rule: RULES.patience };
}

/** Whoever refuses the certificate is right. */
function untrustedFinding(
  run: Run,
  armings: readonly Arming[],
  isReported: (arming: Arming) => boolean,
): ConnectionFinding {
  const accepted = run.seen.filter(({ isSecure }) => isSecure);
  const played = armings.filter(({ connections }) => connections.length > 0);
  const seen = played.reduce((sum, { connections }) => sum + connections.length, 0);
  const found = { isPlayed: played.length > 0 || accepted.length > 0, calls: played.length, seen };
  if (accepted.length > 0) {
    const sentence = `${accepted.length === 1 ? 'A request' : `${accepted.length} requests`} came over a connection whose certificate nobody has signed.`;
    return { ...found, faults: [{ fault: 'certificate-accepted', sentence, rule: RULES.transport }] };
  }
  const faults = played
    .filter((arming) => arming.connections.length > 2 && lostEventsAfter(run, arming).length > 0)
    .map(({ connections }) => tooMany(connections.length));
  if (faults.length === 0 && !played.every(isReported)) {
    return { ...found, isPlayed: false, faults, remark: UNREPORTED };
  }
  return { ...found, faults, ...(!found.isPlayed && plainRemark(armings)) };
}

function plainRemark(armings: readonly Arming[]): { remark?: string } {
  const isPlain = armings.some((arming) => arming.isPlain);
  return isPlain ? { remark: 'The call came by plain HTTP; make it to the https address of the same port.' } : {};
}
