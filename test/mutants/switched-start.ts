/** Stands in for `test/support/quick-start.ts` while sources are changed: what a test starts makes the same change. */
import { quickStart as start } from '../support/quick-start.ts';

export function quickStart(env: NodeJS.ProcessEnv): Record<string, string> {
  const own = new URL('switch.mjs', import.meta.url);
  own.searchParams.set('trial', process.env['MUTANTS_TRIAL']!);
  const quick = start(env);
  return { ...quick, NODE_OPTIONS: `${quick['NODE_OPTIONS']} --import=${own}` };
}
