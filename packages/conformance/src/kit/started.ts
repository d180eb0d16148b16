/** When the processes of a deployment started, as their metrics say: the proof that something was restarted. */

const START_TIME = /^process_start_time_seconds(?:\{[^}]*\})? ([\d.eE+]+)$/gm;
const PATIENCE_MS = 4_000;
const CLOCK_TOLERANCE_SECONDS = 5;

/** What the metrics of a deployment say of the start of its processes. */
export interface Started {
  /** In seconds since 1970, as they are written. */
  readonly times: readonly string[];
  /** For how long the youngest of them runs, by the clock of whoever answered. */
  readonly uptimeSeconds: number;
}

/** The start times on a page of Prometheus metrics. Undefined where there is none, or it cannot be read or names none. */
export async function startTimesAt(url: string | undefined): Promise<Started | undefined> {
  if (url === undefined) return undefined;
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
    const times = [...(await answer.text()).matchAll(START_TIME)].map((match) => match[1]!);
    const nowMs = Date.parse(answer.headers.get('Date') ?? '') || Date.now();
    return times.length > 0 ? { times, uptimeSeconds: nowMs / 1000 - Math.max(...times.map(Number)) } : undefined;
  } catch {
    return undefined;
  }
}

/** Why these do not show that the deployment was restarted in the seconds since the command; undefined where they do. */
export function whyUnproven(
  url: string | undefined,
  before: Started | undefined,
  after: Started | undefined,
  secondsSince: number,
): string | undefined {
  if (url === undefined)
    return 'not shown: all is answered as then, but nothing says that something was restarted; needs --metrics-url';
  if (!before || !after) return `not shown: ${url} names no process_start_time_seconds`;
  if (after.times.every((time) => before.times.includes(time)))
    return `not shown: the command restarted nothing; process_start_time_seconds is ${after.times.join(', ')} as before`;
  // Of several machines behind one address another one may have answered, which runs for long.
  if (after.uptimeSeconds > secondsSince + CLOCK_TOLERANCE_SECONDS)
    return `not shown: ${url} answers for a process that runs for ${Math.round(after.uptimeSeconds)} s, longer than since the command`;
  return undefined;
}
