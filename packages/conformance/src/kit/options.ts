import { closeSync, openSync, readFileSync } from 'node:fs';
import { baseUrlFlaw } from '@loyalty/contract/base-url';
import { isCertificate } from '@loyalty/contract/certificate';
import { MIN_SECRET_BYTES } from '@loyalty/contract/limits';
import { decodeSecret, secretFlaw } from '@loyalty/contract/secret';
import { Command, CommanderError } from 'commander';

/** The kit's options, checked. */
export type KitOptions = Readonly<ReturnType<typeof checkOptions>>;
/** Loyalty IDs of the environment's test members (interface, section 1). */
export type KitMembers = KitOptions['members'];

/** A command line that cannot be used. The message is one line for the person who typed it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Enough for a p99 that is not merely the slowest call. */
const DEFAULT_TIMING_CALLS = 200;

/** The options as the command line names them. */
export interface KitArguments {
  readonly baseUrl?: string;
  readonly secret?: string;
  readonly secretFile?: string;
  readonly venue?: string;
  readonly bax?: string;
  readonly currency: string;
  readonly member20: string;
  readonly memberNone: string;
  readonly memberUnknown: string;
  readonly memberHalf: string;
  readonly memberLimited?: string;
  readonly sellLimited?: boolean;
  readonly rateLimit?: boolean;
  readonly requestsPerSecond: string;
  readonly timingCalls: string;
  readonly betweenReplays?: string;
  readonly metricsUrl?: string;
  readonly only?: readonly string[];
  readonly report?: readonly string[];
  readonly ca?: string;
  readonly header?: readonly string[];
}

/** The kit's command with its options and help, without its action. */
export function kitCommandOf(name: string): Command {
  return new Command(name)
    .usage('--base-url <url> --secret <hex|base64> --venue <venueId> --bax <baxId> [options]')
    .description('run the whole contract against a deployment as a black box, and print a report')
    .option('--base-url <url>', 'where /v1/pos/basket is, without that path')
    .option('--secret <hex|base64>', "the environment's secret")
    .option('--secret-file <file>', 'a file with it, which keeps it out of the process list')
    .option('--venue <id>', 'a venue of this environment')
    .option('--bax <id>', 'one of its terminal setups')
    .option('--currency <code>', 'a currency of that venue', 'NOK')
    .option('--member-20 <id>', 'the member with 20 % on every discountable line', 'test-member-20')
    .option('--member-none <id>', 'the member without benefits', 'test-member-none')
    .option('--member-half <id>', 'the member with 12.5 % on every discountable line', 'test-member-half')
    .option('--member-unknown <id>', 'a loyalty ID that nobody has', 'test-member-unknown')
    .option(
      '--member-limited <id>',
      'a member whose benefit may be used once, here test-member-once: without it reservations are not shown',
    )
    .option('--sell-limited', 'also sell once with that member, whose benefit is used up then')
    .option('--rate-limit', 'also check the rate limit, which disturbs everybody else on the environment')
    .option('--requests-per-second <n>', "the kit's own pace; the environment's sustained rate is 50", '40')
    .option('--timing-calls <n>', 'calls measured per basket size', String(DEFAULT_TIMING_CALLS))
    .option(
      '--between-replays <command>',
      'a shell command that restarts the deployment, or asks you to: replays are due after it too',
    )
    .option('--metrics-url <url>', "the deployment's Prometheus metrics: they show whether that command restarted it")
    .option('--only <name>', 'only checks whose name begins so; may be given several times', collect)
    .option('--report <file>', 'write the report, as .json or .md; may be given several times', collect)
    .option('--ca <file>', 'a certificate authority to trust (PEM)')
    .option('--header <name: value>', 'sent with every request; may be given several times', collect)
    .addHelpText(
      'after',
      '\nExit code: 0 nothing failed (the last line says whether the run was partial), 1 something failed, 2 the command line cannot be used.',
    );
}

function collect(text: string, before: readonly string[] = []): string[] {
  return [...before, text];
}

/** Reads a command line. Throws `UsageError`. */
export function readOptions(args: readonly string[]): KitOptions {
  const command = kitCommandOf('conformance')
    .exitOverride()
    .configureOutput({ outputError: () => undefined });
  try {
    return checkOptions(command.parse(args, { from: 'user' }).opts<KitArguments>());
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    throw new UsageError(error.message.replace(/^error: /, ''));
  }
}

/** Checks the options of the command line. Throws `UsageError`. */
export function checkOptions(given: KitArguments) {
  const required = (name: string, value: string | undefined): string => {
    if (!value) throw new UsageError(`--${name} is missing`);
    return value;
  };
  for (const [name, value] of Object.entries(given)) {
    if (value === '') throw new UsageError(`${optionOf(name)} is missing`);
  }
  return {
    baseUrl: readBaseUrl(required('base-url', given.baseUrl)),
    secret: readSecret(given.secret, given.secretFile),
    venueId: required('venue', given.venue),
    baxId: required('bax', given.bax),
    currency: given.currency,
    members: {
      twenty: given.member20,
      none: given.memberNone,
      unknown: given.memberUnknown,
      /** A member with 12.5 % on every discountable line, which shows how halves are rounded. */
      half: given.memberHalf,
      /** A member with a benefit that may be used once; the checks of reservations need one. */
      limited: given.memberLimited,
    },
    /** The kit stays below the environment's sustained rate, which it shares with everybody else who tests there. */
    requestsPerSecond: readCount('requests-per-second', given.requestsPerSecond),
    timingCalls: readCount('timing-calls', given.timingCalls),
    withRateLimit: given.rateLimit ?? false,
    /** Sell once with the limited member, who has the benefit no more. */
    sellsLimited: given.sellLimited ?? false,
    /** A shell command that restarts the deployment; without it no replay is asked for after a restart. */
    betweenReplays: given.betweenReplays,
    /** Prometheus metrics of the deployment, whose start times show that the command restarted something. */
    metricsUrl: given.metricsUrl === undefined ? undefined : readUrl('metrics-url', given.metricsUrl).href,
    /** The command line without its secrets. */
    command: commandOf(given),
    /** Beginnings of check names; empty: all of them. */
    only: given.only ?? [],
    reportFiles: (given.report ?? []).map(checkReportFile),
    /** A certificate authority to trust instead of the public ones. */
    ca: given.ca === undefined ? undefined : readCertificate(given.ca),
    /** Headers of every request, for a gateway in front of the deployment. */
    headers: Object.fromEntries((given.header ?? []).map(readHeader)),
  };
}

function readUrl(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError(`--${name} is not an http(s) address: ${text}`);
  return url;
}

/** The message quotes nothing that may have a password. */
function readBaseUrl(text: string): URL {
  const url = readUrl('base-url', text);
  const flaw = baseUrlFlaw(text);
  if (flaw) throw new UsageError(`--base-url ${flaw}`);
  return url;
}

function optionOf(name: string): string {
  return `--${name.replace(/[A-Z]|\d+/g, (part) => `-${part.toLowerCase()}`)}`;
}

/** As it was typed, but for the secret, and the values of headers, which may be secrets too. */
function commandOf(given: KitArguments): string {
  const words = Object.entries(given).flatMap(([name, value]): string[] => {
    const option = optionOf(name);
    if (value === undefined || value === false) return [];
    if (value === true) return [option];
    if (name === 'secret') return [option, '…'];
    const values = Array.isArray(value) ? (value as string[]) : [String(value)];
    const shown = name === 'header' ? values.map((header) => `${header.split(':')[0]}: …`) : values;
    return shown.flatMap((text) => [option, /^[\w./:@-]+$/.test(text) ? text : `'${text}'`]);
  });
  return ['conformance', ...words].join(' ');
}

/** Hex or base64, as the operator hands it over. The text is never quoted: it is a secret even when it is mistyped. */
function readSecret(given: string | undefined, file: string | undefined): Uint8Array {
  const text = (given ?? (file === undefined ? '' : readText('secret-file', file))).trim();
  if (text === '') throw new UsageError('--secret or --secret-file is missing');
  const secret = decodeSecret(text);
  if (!secret) throw new UsageError(`--secret ${secretFlaw(text)}`);
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

function readCertificate(file: string): string {
  const pem = readText('ca', file);
  if (!isCertificate(pem)) throw new UsageError(`--ca: ${file} is not a PEM certificate`);
  return pem;
}

function checkReportFile(file: string): string {
  if (!/\.(json|md)$/.test(file)) throw new UsageError(`--report takes a .json or .md file: ${file}`);
  // Before the run, which takes a while.
  try {
    closeSync(openSync(file, 'a'));
  } catch (error) {
    throw new UsageError(`--report: ${(error as Error).message}`);
  }
  return file;
}

function readHeader(text: string): [name: string, value: string] {
  const match = /^([\w-]+):\s*([\t\x20-\x7e]*)$/.exec(text);
  if (!match) throw new UsageError(`--header is not of the form "name: value" in visible ASCII: ${text}`);
  return [match[1] as string, match[2] as string];
}
