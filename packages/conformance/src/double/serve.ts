import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { MIN_SECRET_BYTES } from '../../../../src/contract/limits.ts';
import { describeTable, type SeenRequest, ServiceDouble } from './service-double.ts';
import { LOYALTY_ID_PREFIX, MISBEHAVE_HEADER } from './table.ts';

const DEFAULT_PORT = '8090';

const USAGE = `usage: npm run conformance -- serve [options]

A service double that keeps the contract, but for what it is told to get wrong: certify your backend against it.

  --port N            listen here (${DEFAULT_PORT}; 0: any free port)
  --host ADDRESS      listen there (127.0.0.1)
  --secret HEX        verify signatures with this secret (a new one is made and printed)
  --misbehave CODE    for every request that selects nothing by itself
  --venue ID          refuse other venues with venue_not_configured; likewise --bax and --currency
  --list              print every misbehaviour, what it does and what a caller must do
  --json              with --list: as JSON
`;

/** Runs the double from a command line until it is told to end; resolves to the exit code. */
export async function runDouble(args: readonly string[], write: (text: string) => void): Promise<number> {
  let values: ReturnType<typeof readArguments>;
  try {
    values = readArguments(args);
  } catch (error) {
    write(`serve: ${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  if (values.help) write(USAGE);
  else if (values.list) write(values.json ? `${JSON.stringify(describeTable(), null, 2)}\n` : renderMisbehaviours());
  else return serve(values, write);
  return 0;
}

function readArguments(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string', default: DEFAULT_PORT },
      host: { type: 'string', default: '127.0.0.1' },
      secret: { type: 'string', default: randomBytes(MIN_SECRET_BYTES).toString('hex') },
      misbehave: { type: 'string' },
      venue: { type: 'string' },
      bax: { type: 'string' },
      currency: { type: 'string' },
      list: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (!/^\d{1,5}$/.test(values.port)) throw new Error('--port: a number is expected');
  if (!/^(?:[0-9a-f]{2}){32,}$/i.test(values.secret)) throw new Error('--secret: 32 bytes or more in hex are expected');
  return values;
}

async function serve(values: ReturnType<typeof readArguments>, write: (text: string) => void): Promise<number> {
  const { host, port, secret, misbehave, venue, bax, currency } = values;
  const double = await ServiceDouble.start({
    host,
    port: Number(port),
    secret: Buffer.from(secret, 'hex'),
    ...(misbehave !== undefined && { misbehave }),
    place: {
      ...(venue !== undefined && { venueId: venue }),
      ...(bax !== undefined && { baxId: bax }),
      ...(currency !== undefined && { currency }),
    },
    onRequest: (request) => write(renderRequest(request)),
  });
  write(`Service double
  base URL    ${double.baseUrl}
  secret      ${secret}
  misbehaves  ${misbehave ?? 'when a request asks for it'}

Ask for a misbehaviour with the header ${MISBEHAVE_HEADER}: CODE, with the loyalty ID ${LOYALTY_ID_PREFIX}CODE (its sale event
follows), or for the next request: curl -d CODE ${double.baseUrl}/double/next
The codes: npm run conformance -- serve --list
`);
  await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
  await double.close();
  return 0;
}

function renderRequest({ path, idempotencyKey = '-', code = 'honest' }: SeenRequest): string {
  return `${new Date().toISOString()}  ${path}  ${idempotencyKey}  ${code}\n`;
}

/** Three lines a row: a table of this width would fit no terminal. */
function renderMisbehaviours(): string {
  const rows = describeTable().map(
    ({ code, endpoint, what, callerMust }) => `${code}  (${endpoint})\n  double  ${what}\n  caller  ${callerMust}\n`,
  );
  return `${rows.join('\n')}\n${rows.length} misbehaviours\n`;
}
