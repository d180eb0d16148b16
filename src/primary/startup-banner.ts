import type { Environment } from '../programme/environment.ts';
import { isStaging } from '../programme/environment-name.ts';
import type { Settings } from '../settings.ts';
import { buildOf } from '../telemetry/build.ts';
import type { Logger } from '../telemetry/log.ts';

/** What has just started to listen. */
interface Listening extends Pick<BannerFacts, 'secretFile' | 'opsTokenFile'> {
  readonly environment: Environment;
  readonly port: number;
  readonly opsPort: number;
}

/** Logs that the service listens; in staging a banner follows for the person who has started it. */
export function announce(settings: Settings, log: Logger, { environment, port, opsPort, ...files }: Listening): void {
  const { processes, workers, host, opsHost } = settings;
  const baseUrl = `${settings.tls ? 'https' : 'http'}://${bracket(host)}:${port}`;
  const opsUrl = `http://${bracket(opsHost)}:${opsPort}`;
  const { name, version: configuration } = environment;
  const served = { environment: name, configuration, processes, workers };
  log.info({ baseUrl, opsUrl, ...buildOf(settings), ...served }, 'listening');
  if (!isStaging(name)) return;
  process.stderr.write(startupBanner({ ...settings, environment: name, baseUrl, opsUrl, ...files }));
}

/** An IPv6 address as a URL has it. */
function bracket(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** The facts of a service that has just started. A file is undefined when its secret or token was given. */
export interface BannerFacts extends Pick<Settings, 'environmentFile' | 'dataDir' | 'processes' | 'workers' | 'cores'> {
  readonly environment: string;
  readonly baseUrl: string;
  readonly opsUrl: string;
  readonly secretFile: string | undefined;
  readonly opsTokenFile: string | undefined;
}

/**
 * The banner for a person who has just started staging. It goes to standard error, because standard output holds the
 * log and nothing but JSON lines.
 */
export function startupBanner(facts: BannerFacts): string {
  return [
    '',
    `Loyalty basket service, environment ${facts.environment}`,
    `  base URL    ${facts.baseUrl}`,
    `  operations  ${facts.opsUrl}   (open it in a browser; /healthz, /readyz, /metrics, /docs)`,
    `  started     ${describeStarted(facts)}`,
    `  secret      ${facts.secretFile ?? 'from LOYALTY_SECRETS or LOYALTY_SECRETS_FILE'}`,
    `  ops token   ${facts.opsTokenFile ?? 'from OPS_TOKEN'}   (Authorization: Bearer …, for /admin)`,
    `  try         ${demoCommand(facts)}   (in another terminal; plays checkouts and a day in a shop)`,
    '',
    '',
  ].join('\n');
}

/** The processes and threads that share the machine, since both defaults come from the number of its cores. */
function describeStarted({ processes, workers, cores }: BannerFacts): string {
  const each = processes === 1 ? ' with' : ', each with';
  return `${count(processes, 'process', 'processes')}${each} ${count(workers, 'pricing thread')}, on ${count(cores, 'core')}`;
}

function count(number: number, one: string, several = `${one}s`): string {
  return `${number} ${number === 1 ? one : several}`;
}

/** The whole command that finds this very service: only what differs from the demo's defaults is named. */
function demoCommand({ environment, baseUrl, secretFile, environmentFile, dataDir }: BannerFacts): string {
  const isUsualFolder = dataDir === '.data';
  const variables = isUsualFolder ? '' : `DATA_DIR=${quoteForShell(dataDir)} `;
  const options = [
    ...(baseUrl === 'http://127.0.0.1:8080'
      ? []
      : ['--base-url', baseUrl.replace(/\/\/(?:0\.0\.0\.0|\[::\])/, '//127.0.0.1')]),
    ...(secretFile === undefined ? ['--secret-file', 'FILE-WITH-THE-SECRET'] : []),
    ...(secretFile !== undefined && environment !== 'staging' ? ['--secret-file', quoteForShell(secretFile)] : []),
    ...(environmentFile === 'config/staging.yaml' ? [] : ['--config', quoteForShell(environmentFile)]),
  ];
  return `${variables}npm run demo${options.length > 0 ? ` -- ${options.join(' ')}` : ''}`;
}

function quoteForShell(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
