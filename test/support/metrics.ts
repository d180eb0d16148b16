/** The samples of a service's `/metrics`. */
import type { Service } from './service.ts';

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** So long the primary waits for the figures of a gateway (`primary/gateways.ts`); then it tells those that it had before. */
const PATIENCE_MS = 250;
/** A gateway that hangs is waited for so often, and its last figures are taken. */
const MOST_SCRAPES = 5;

/** The figures of a service as they are now: a scrape that lasted so long may have met a gateway that stood still, and is repeated. */
export async function scrape(service: Service): Promise<Sample[]> {
  for (let scrapes = 1; ; scrapes += 1) {
    const startMs = performance.now();
    const answer = await fetch(`${service.opsUrl}/metrics`);
    const samples = parseMetrics(await answer.text());
    if (performance.now() - startMs < PATIENCE_MS || scrapes === MOST_SCRAPES) return samples;
  }
}

/** Reads the Prometheus text format as prom-client writes it. Throws on a line that is none. */
function parseMetrics(text: string): Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const match = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line);
      if (!match) throw new Error(`not a sample: ${line}`);
      const labels = [...(match[2] ?? '').matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [
        name,
        value,
      ]);
      return { name: match[1] as string, labels: Object.fromEntries(labels), value: Number(match[3]) };
    });
}

/** The sum of the samples of a name whose labels are those given; undefined when there are none. */
export function readingOf(samples: readonly Sample[], name: string, labels: Record<string, string> = {}) {
  const found = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}
