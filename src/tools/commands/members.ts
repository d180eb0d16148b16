import { exportMembersTo } from './members-export.ts';
import { importMembersFrom } from './members-import.ts';

/** `npm run members -- import … | export …`: the members of the running service's Redis, in and out. */

const USAGE = [
  'usage: npm run members -- import file.ndjson|file.csv|- [--format ndjson|csv] [--programme ID] [--dry-run]',
  '                          [--rejects FILE] [--resume] [--rate n]',
  '       npm run members -- export [--programme ID] [--out FILE|-]',
].join('\n');

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`members: ${(error as Error).message}\n`);
  process.exitCode = 2;
}

/** 0: done; rows that were rejected are named. 1: there were rows and none could be taken. 2: it could not be done. */
function main([command, ...options]: readonly string[]): Promise<number> {
  if (command === 'import') return importMembersFrom(options);
  if (command === 'export') return exportMembersTo(options);
  throw new Error(USAGE);
}
