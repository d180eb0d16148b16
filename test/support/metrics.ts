/** The samples of a service's `/metrics`. */
import type { Service } from './service.ts';

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export async function scrape(service: Service): Promise<Sample[]> {
  const answer = await fetch(`${service.opsUrl}/metrics`);
  return parseMetrics(await answer.text());
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
