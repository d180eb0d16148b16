import { writeFileSync } from 'node:fs';
import { certify, Stopped, Unreachable } from './kit/certify.ts';
import { checkOptions, type KitArguments, UsageError } from './kit/options.ts';
import { countOutcomes, renderJson, renderLine, renderMarkdown, renderSummary } from './kit/report.ts';

/**
 * The conformance kit: runs the whole contract against a deployment as a black box. It shares the signer, names and
 * limits of `contract` with the service, and no code that produces an answer.
 */

/** The exit codes, for scripts. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const EXIT = { conforms: 0, failed: 1, usage: 2 } as const;

/** Runs the kit as its command line says, prints the report and returns the exit code. */
export async function runKit(given: KitArguments, write: (text: string) => void, usage: string): Promise<number> {
  const stop = new AbortController();
  const onSignal = () => {
    write('conformance: told to end; freeing what is held\n');
    stop.abort();
  };
  for (const signal of SIGNALS) process.once(signal, onSignal);
  try {
    const options = checkOptions(given);
    const certificate = await certify(options, (result) => write(renderLine(result)), stop.signal);
    write(renderSummary(certificate));
    for (const file of options.reportFiles) {
      writeFileSync(file, file.endsWith('.md') ? renderMarkdown(certificate) : renderJson(certificate));
      write(`Report written to ${file}\n`);
    }
    return countOutcomes(certificate.results).failed === 0 ? EXIT.conforms : EXIT.failed;
  } catch (error) {
    if (error instanceof Stopped) return EXIT.failed;
    if (error instanceof Unreachable) {
      write(`conformance: ${error.message}\n`);
      return EXIT.failed;
    }
    if (!(error instanceof UsageError)) throw error;
    write(`conformance: ${error.message}\n\n${usage}`);
    return EXIT.usage;
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}
