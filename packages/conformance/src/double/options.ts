import { randomBytes } from 'node:crypto';
import { MIN_SECRET_BYTES } from '@loyalty/contract/limits';
import { Command, Option } from 'commander';

const MAX_PORT = 65_535;

/** The options as the command line names them. */
export interface DoubleArguments {
  readonly port: string;
  readonly host: string;
  readonly secret: string;
  readonly misbehave?: string;
  readonly venue?: string;
  readonly bax?: string;
  readonly currency?: string;
  readonly list?: boolean;
  readonly json?: boolean;
}

/** The double's command with its options and help, without its action. */
export function doubleCommandOf(name: string): Command {
  const secret = randomBytes(MIN_SECRET_BYTES).toString('hex');
  return new Command(name)
    .description('a service double that keeps the contract but for what it is told to get wrong: certify a caller')
    .option('--port <n>', 'listen here; 0: any free port', '8090')
    .option('--host <address>', 'listen there', '127.0.0.1')
    .addOption(
      new Option('--secret <hex>', 'verify signatures with it').default(secret, 'a new one is made and printed'),
    )
    .option('--misbehave <code>', 'for every request that selects nothing by itself')
    .option('--venue <id>', 'refuse other venues with venue_not_configured')
    .option('--bax <id>', 'likewise other terminal setups')
    .option('--currency <code>', 'likewise other currencies')
    .option('--list', 'print every misbehaviour, what it does and what a caller must do')
    .option('--json', 'with --list: as JSON');
}

/** Throws with one line that names what cannot be used. */
export function checkOptions({ port, secret, list, json }: DoubleArguments): void {
  if (!/^\d{1,5}$/.test(port) || Number(port) > MAX_PORT) {
    throw new Error(`--port: a number from 0 to ${MAX_PORT} is expected`);
  }
  if (!/^(?:[0-9a-f]{2}){32,}$/i.test(secret)) throw new Error('--secret: 32 bytes or more in hex are expected');
  if (json && !list) throw new Error('--json: --list is expected beside it');
}
