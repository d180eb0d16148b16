import { decodeSecret } from '@loyalty/contract/secret';
import { checkOptions, type DoubleArguments } from './options.ts';
import { describeTable, type SeenRequest, ServiceDouble } from './service-double.ts';
import { LOYALTY_ID_PREFIX, MISBEHAVE_HEADER, misbehaviourOf } from './table.ts';

type Write = (text: string) => void;

/** Runs the double from a command line until it is told to end; resolves to the exit code. */
export async function runDouble(given: DoubleArguments, write: Write, usage: string): Promise<number> {
  try {
    checkOptions(given);
    checkMisbehaviour(given.misbehave);
  } catch (error) {
    write(`serve: ${(error as Error).message}\n\n${usage}`);
    return 2;
  }
  if (!given.list) return serve(given, write);
  write(given.json ? `${JSON.stringify(describeTable(), null, 2)}\n` : renderMisbehaviours());
  return 0;
}

/** Here and not with the other options, because the table is not loaded for help. */
function checkMisbehaviour(code: string | undefined): void {
  if (code === undefined || misbehaviourOf(code)) return;
  throw new Error(`--misbehave: found ${JSON.stringify(code)}, allowed: a code that --list prints`);
}

async function serve(given: DoubleArguments, write: Write): Promise<number> {
  const { host, port, secret, misbehave } = given;
  const double = await open(given, write).catch((error: NodeJS.ErrnoException) => error);
  if (double instanceof Error) {
    const isTaken = double.code === 'EADDRINUSE';
    write(`serve: ${isTaken ? `port ${port} of ${host} is taken; choose another with --port` : double.message}\n`);
    return 1;
  }
  // Whoever has read the greeting may send a signal at once, so the handlers come first.
  const ended = new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
  write(`Service double
  base URL    ${double.baseUrl}
  secret      ${secret}
  misbehaves  ${misbehave ?? 'when a request asks for it'}

Ask for a misbehaviour with the header ${MISBEHAVE_HEADER}: CODE, with the loyalty ID ${LOYALTY_ID_PREFIX}CODE (its sale event
follows), or for the next request: curl -d CODE ${double.baseUrl}/double/next
The codes: the same command with --list
The verdict on your attempts: curl '${double.baseUrl}/double/verdict?format=text'
`);
  await ended;
  await double.close();
  return 0;
}

function open(given: DoubleArguments, write: Write): Promise<ServiceDouble> {
  const { host, port, secret, misbehave, venue, bax, currency } = given;
  return ServiceDouble.start({
    host,
    port: Number(port),
    secret: decodeSecret(secret)!,
    ...(misbehave !== undefined && { misbehave }),
    place: {
      ...(venue !== undefined && { venueId: venue }),
      ...(bax !== undefined && { baxId: bax }),
      ...(currency !== undefined && { currency }),
    },
    onRequest: (request) => write(renderRequest(request)),
  });
}

/** What was answered: a misbehaviour, a refusal with its code, or an honest answer. */
function renderRequest({ path, idempotencyKey = '-', code = 'honest', refused }: SeenRequest): string {
  const answered = refused === undefined ? code : `refused: ${refused}`;
  return `${new Date().toISOString()}  ${path}  ${idempotencyKey}  ${answered}\n`;
}

/** Five lines a row: a table of this width would fit no terminal. */
function renderMisbehaviours(): string {
  const rows = describeTable().map(
    ({ code, endpoint, what, provoke, callerMust, attempts }) =>
      `${code}  (${endpoint})\n  ask       ${provoke}\n  double    ${what}\n  caller    ${callerMust}\n  attempts  ${attempts.when} (${attempts.rule})\n`,
  );
  return `${rows.join('\n')}\n${rows.length} misbehaviours\n`;
}
