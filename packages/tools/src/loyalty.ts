import { createProgram } from './command-line/program.ts';
import { runCommandLine } from './command-line/strict.ts';

/** `npx loyalty …`: the commands beside the service. */
await runCommandLine(createProgram(), 'loyalty', process.argv.slice(2));
