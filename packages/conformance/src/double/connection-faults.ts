import { HARD_CAP_MS } from './attempt-rule.ts';
import { isSame } from './basket-faults.ts';
import { countAttempts, type Fault, faultOf, inMs } from './faults.ts';
import type { BasketMisbehaviour, ConnectionAct, RightOutcome } from './misbehaviour.ts';
import type { Arming, Run, SeenRequest } from './run.ts';

/** What a caller did wrong with a connection that failed before the request was sent (interface, section 4.8). */

/** A machine may stand still between an attempt and its arrival. */
const SLACK_MS = 1_000;
/** A right caller may retry within this time, and then the double sees nothing of it. */
const LONGEST_JUDGED_MS = 100;

const UNSEEN = 'The double does not see attempts that it refuses; tls-cut-handshake shows the retry.';
const UNREPORTED = 'The call never arrived, and no event has reported it as failed so far: report its sale.';
const UNCLEAR =
  'A connection after the first may have been that of the sale event; report the sale by http, and the double can tell.';
const PLAIN = 'The call came by plain HTTP; make it to the https address of the same port.';

/** What a row of the connection has shown: its faults, the attempts that were seen, and whether it was played at all. */
export interface ConnectionFinding {
  readonly isPlayed: boolean;
  readonly calls: number;
  readonly seen: number;
  readonly faults: readonly Fault[];
  /** Said of a row that was not played, or of one that shows less than it seems. */
  readonly remark?: string | undefined;
}

type ConnectionRow = BasketMisbehaviour & { readonly act: ConnectionAct };

/** `isRetryShown` is true when another row has shown that the caller retries. */
export function connectionFindingOf(
  run: Run,
  code: string,
  { act, right }: ConnectionRow,
  isRetryShown: () => boolean,
): ConnectionFinding {
  const armings = run.armings.filter((arming) => arming.code === code);
  if (act.how === 'untrusted' || act.how === 'cut-handshake') return tlsFinding(run, armings, act.how, right);
  const arrived = armings.map((arming) => arrivalsAfter(run, arming));
  const lost = armings.filter((_, index) => arrived[index]!.length === 0);
  const found = { isPlayed: armings.length > 0, calls: armings.length, seen: arrived.flat().length, faults: [] };
  if (lost.length === 0) return found;
  const isRetryKnown = act.how === 'reset' || isRetryShown();
  // A retry that comes while the double still refuses cannot be seen, so only the short row asks for it.
  if (isRetryKnown || act.forMs > LONGEST_JUDGED_MS) {
    if (!lost.every((arming) => isReported(run, arming, right)))
      return { ...found, isPlayed: false, remark: UNREPORTED };
    return { ...found, remark: isRetryKnown ? undefined : UNSEEN };
  }
  const sentence = `Connections were refused for ${act.forMs} ms, and no attempt came after that. One retry is due, about 100 ms later. A retry within the ${act.forMs} ms is not seen; play tls-cut-handshake, which shows every attempt.`;
  return { ...found, faults: [faultOf('no-retry', sentence)] };
}

/**
 * Nothing of a request leaves before the handshake is over, so every connection is seen. It may be that of a sale event: only
 * when the event of such a call came by plain HTTP do the connections count as attempts of the basket call.
 */
function tlsFinding(
  run: Run,
  armings: readonly Arming[],
  how: 'untrusted' | 'cut-handshake',
  right: readonly RightOutcome[],
): ConnectionFinding {
  const played = armings.filter(({ connections }) => connections.length > 0);
  const seen = played.flatMap(({ connections }) => connections).length;
  // Whoever refuses the certificate is right.
  const accepted = how === 'untrusted' ? run.seen.filter(({ isSecure }) => isSecure).length : 0;
  if (accepted > 0) {
    const requests = accepted === 1 ? 'A request' : `${accepted} requests`;
    const sentence = `${requests} came over a connection whose certificate nobody has signed.`;
    return { isPlayed: true, calls: played.length, seen, faults: [faultOf('certificate-accepted', sentence)] };
  }
  const isClear = (arming: Arming) => lostEventsAfter(run, arming).length > 0;
  const faults = played.flatMap((arming) => attemptFaults(arming, how, isClear(arming)));
  if (faults.length > 0) return { isPlayed: true, calls: played.length, seen, faults };
  let remark: string | undefined;
  if (played.length === 0) remark = armings.some(({ isPlain }) => isPlain) ? PLAIN : undefined;
  else if (how === 'cut-handshake' && !played.every(isClear)) remark = UNCLEAR;
  else if (!played.every((arming) => isReported(run, arming, right))) remark = UNREPORTED;
  return { isPlayed: played.length > 0 && remark === undefined, calls: played.length, seen, faults, remark };
}

function attemptFaults({ connections }: Arming, how: 'untrusted' | 'cut-handshake', isClear: boolean): Fault[] {
  const [first, second] = connections;
  if (!second) {
    const sentence = 'The connection failed before the request was sent, and no second attempt came; one retry is due.';
    return how === 'untrusted' ? [] : [faultOf('no-retry', sentence)];
  }
  if (!isClear) return [];
  if (connections.length > 2) {
    const sentence = `${countAttempts(connections.length)} were made; the connection failed before the request was sent, so one retry is permitted, and no more.`;
    return [faultOf('too-many-attempts', sentence)];
  }
  const gapMs = second.atMs - first!.atMs;
  if (how === 'untrusted' || gapMs <= HARD_CAP_MS + SLACK_MS) return [];
  const sentence = `The retry came after ${inMs(gapMs)}; the limit from the first attempt to the decision is ${HARD_CAP_MS} ms.`;
  return [faultOf('retry-too-late', sentence)];
}

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

/** The events since then whose calls never arrived: they took another way than their calls. */
function lostEventsAfter({ seen }: Run, { atMs }: Arming): NonNullable<SeenRequest['event']>[] {
  const arrived = new Set(seen.filter(({ event }) => !event).map(({ idempotencyKey }) => idempotencyKey));
  const lost = seen.filter((one) => one.atMs >= atMs && !arrived.has(one.idempotencyKey));
  return lost.flatMap(({ event }) => event ?? []);
}

/** An event has told the outcome that is right for a call that failed. */
function isReported(run: Run, arming: Arming, right: readonly RightOutcome[]): boolean {
  return lostEventsAfter(run, arming).some((event) => right.some((outcome) => isSame(outcome, event)));
}
