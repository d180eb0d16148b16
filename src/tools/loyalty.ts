import { createProgram } from './command-line/program.ts';
import { runCommandLine } from './command-line/strict.ts';

/** `npx loyalty …`: every command that people run beside the service. */
await runCommandLine(createProgram(), 'loyalty', process.argv.slice(2));
