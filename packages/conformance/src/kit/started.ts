/** When the processes of a deployment started, as their metrics say: the proof that something was restarted. */

const START_TIME = /^process_start_time_seconds(?:\{[^}]*\})? ([\d.eE+]+)$/gm;
const PATIENCE_MS = 4_000;

/** The start times that a page of Prometheus metrics names, sorted. Undefined where it cannot be read or names none. */
export async function startTimesAt(url: string): Promise<readonly string[] | undefined> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) });
    const found = [...(await answer.text()).matchAll(START_TIME)].map((match) => match[1]!);
    return found.length > 0 ? found.sort() : undefined;
  } catch {
    return undefined;
  }
}

/** Why these do not show that the deployment was restarted; undefined where they do. */
export function whyUnproven(
  url: string | undefined,
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
): string | undefined {
  if (url === undefined)
    return 'not shown: all is answered as then, but nothing says that something was restarted; needs --metrics-url';
  if (!before || !after) return `not shown: ${url} names no process_start_time_seconds`;
  if (after.every((time) => before.includes(time)))
    return `not shown: the command restarted nothing; process_start_time_seconds is ${after.join(', ')} as before`;
  return undefined;
}
