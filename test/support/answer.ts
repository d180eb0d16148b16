/** One HTTP answer exactly as it came: the header lines in order, the body's bytes. */
export class Answer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly bytes: Buffer;

  constructor(status: number, headers: readonly (readonly [string, string])[], bytes: Buffer) {
    this.status = status;
    this.headers = headers;
    this.bytes = bytes;
  }

  get text(): string {
    return this.bytes.toString('utf8');
  }

  /** Every value sent under this name, in order. */
  headersNamed(name: string): string[] {
    const wanted = name.toLowerCase();
    return this.headers.filter(([key]) => key.toLowerCase() === wanted).map(([, value]) => value);
  }

  header(name: string): string | undefined {
    return this.headersNamed(name)[0];
  }

  get isReplayed(): boolean {
    return this.header('Idempotent-Replayed') === 'true';
  }

  /** Milliseconds that the service says it took (interface, section 8), NaN when it does not say. */
  get durationMs(): number {
    return Number(/^app;dur=([\d.]+)(?:, |$)/.exec(this.header('Server-Timing') ?? '')?.[1] ?? Number.NaN);
  }

  /** The body parsed as JSON, in a form that the caller names and judge.ts proves. */
  json<T = Record<string, unknown>>(): T {
    return JSON.parse(this.text) as T;
  }

  /** `error.code` of an Error body, undefined on anything else. */
  get code(): string | undefined {
    return this.json<{ error?: { code?: string } }>().error?.code;
  }

  get details(): Record<string, unknown> {
    return this.json<{ error: { details?: Record<string, unknown> } }>().error.details ?? {};
  }
}
