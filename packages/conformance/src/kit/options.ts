import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { MIN_SECRET_BYTES } from '../../../../src/contract/limits.ts';

/** What the kit is told on its command line. */
export interface KitOptions {
  readonly baseUrl: URL;
  readonly secret: Uint8Array;
  readonly venueId: string;
  readonly baxId: string;
  readonly currency: string;
  readonly members: KitMembers;
  /** The kit stays below the environment's sustained rate, which it shares with everybody else who tests there. */
  readonly requestsPerSecond: number;
  readonly timingCalls: number;
  readonly withRateLimit: boolean;
  /** Beginnings of check names; empty: all of them. */
  readonly only: readonly string[];
  readonly reportFiles: readonly string[];
  /** A certificate authority to trust instead of the public ones. */
  readonly ca: string | undefined;
  /** Sent with every request: what a gateway in front of the deployment asks for. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Loyalty IDs of the environment's test members (interface, section 1). */
export interface KitMembers {
  readonly twenty: string;
  readonly none: string;
  readonly unknown: string;
  /** A member with a benefit that may be used once; the checks of reservations need one. */
  readonly limited: string | undefined;
}

/** A command line that cannot be used. The message is one line for the person who typed it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Enough for a p99 that is not merely the slowest call. */
const DEFAULT_TIMING_CALLS = 200;

export const USAGE = `Usage: npm run conformance -- --base-url <url> --secret <hex|base64> --venue <venueId> --bax <baxId>

Runs the whole contract against a deployment as a black box and prints a report.

  --base-url <url>           where /v1/pos/basket is, without that path
  --secret <hex|base64>      the environment's secret; --secret-file <file> keeps it out of the process list
  --venue <id>, --bax <id>   a venue of this environment and one of its terminal setups
  --currency <code>          a currency of that venue (NOK)
  --member-20 <id>           the member with 20 % on every discountable line (test-member-20)
  --member-none <id>         the member without benefits (test-member-none)
  --member-unknown <id>      a loyalty ID that nobody has (test-member-unknown)
  --member-limited <id>      a member whose benefit may be used once: also checks reservations (skipped without one)
  --rate-limit               also checks the rate limit, which disturbs everybody else on the environment
  --requests-per-second <n>  the kit's own pace (40; the environment's sustained rate is 50)
  --timing-calls <n>         calls measured per basket size (${DEFAULT_TIMING_CALLS})
  --only <name>              only checks whose name begins so; may be given several times
  --report <file>            writes the report, as .json or .md; may be given several times
  --ca <file>                a certificate authority to trust (PEM)
  --header <name: value>     sent with every request; may be given several times

Exit code: 0 everything passed, 1 something failed, 2 the command line cannot be used.
`;

/** Reads the command line. Throws `UsageError`. */
export function readOptions(args: readonly string[]): KitOptions {
  const values = parse(args);
  const required = (name: 'base-url' | 'venue' | 'bax'): string => {
    const value = values[name];
    if (!value) throw new UsageError(`--${name} is missing`);
    return value;
  };
  return {
    baseUrl: readUrl(required('base-url')),
    secret: readSecret(values.secret, values['secret-file']),
    venueId: required('venue'),
    baxId: required('bax'),
    currency: values.currency,
    members: {
      twenty: values['member-20'],
      none: values['member-none'],
      unknown: values['member-unknown'],
      limited: values['member-limited'],
    },
    requestsPerSecond: readCount('requests-per-second', values['requests-per-second']),
    timingCalls: readCount('timing-calls', values['timing-calls']),
    withRateLimit: values['rate-limit'],
    only: values.only,
    reportFiles: values.report.map(checkReportFile),
    ca: values.ca === undefined ? undefined : readText('ca', values.ca),
    headers: Object.fromEntries(values.header.map(readHeader)),
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const list = { type: 'string', multiple: true, default: [] as string[] } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        'base-url': text,
        secret: text,
        'secret-file': text,
        venue: text,
        bax: text,
        currency: { type: 'string', default: 'NOK' },
        'member-20': { type: 'string', default: 'test-member-20' },
        'member-none': { type: 'string', default: 'test-member-none' },
        'member-unknown': { type: 'string', default: 'test-member-unknown' },
        'member-limited': text,
        'rate-limit': { type: 'boolean', default: false },
        'requests-per-second': { type: 'string', default: '40' },
        'timing-calls': { type: 'string', default: String(DEFAULT_TIMING_CALLS) },
        only: list,
        report: list,
        header: list,
        ca: text,
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message.split('\n')[0]);
  }
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError(`--base-url is not an http(s) address: ${text}`);
  return url;
}

/** Hex or base64, as the operator hands it over. The text is never quoted: it is a secret even when it is mistyped. */
function readSecret(given: string | undefined, file: string | undefined): Uint8Array {
  const text = (given ?? (file === undefined ? '' : readText('secret-file', file))).trim();
  if (text === '') throw new UsageError('--secret or --secret-file is missing');
  const isHex = /^(?:[0-9a-f]{2})+$/i.test(text);
  if (!isHex && !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) throw new UsageError('--secret is neither hex nor base64');
  const secret = Buffer.from(text, isHex ? 'hex' : 'base64');
  if (secret.length < MIN_SECRET_BYTES) {
    throw new UsageError(`--secret has ${secret.length} bytes; at least ${MIN_SECRET_BYTES} are due`);
  }
  return secret;
}

function readCount(name: string, text: string): number {
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (count < 1) throw new UsageError(`--${name} is not a whole number from 1 on: ${text}`);
  return count;
}

function readText(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--${name}: ${(error as Error).message}`);
  }
}

function checkReportFile(file: string): string {
  if (!/\.(json|md)$/.test(file)) throw new UsageError(`--report takes a .json or .md file: ${file}`);
  return file;
}

function readHeader(text: string): [name: string, value: string] {
  const match = /^([\w-]+):\s*(.*)$/.exec(text);
  if (!match) throw new UsageError(`--header is not of the form "name: value": ${text}`);
  return [match[1] as string, match[2] as string];
}
