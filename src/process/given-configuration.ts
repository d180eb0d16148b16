import { isDeepStrictEqual } from 'node:util';
import { compileEnvironment, type Environment } from '../programme/environment.ts';
import { OWN_BUILD } from '../telemetry/build.ts';
import type { GivenConfiguration } from './messages.ts';

/** What the primary has given, compiled. */
export interface CompiledConfiguration extends Pick<GivenConfiguration, 'source' | 'checked' | 'secrets'> {
  readonly environment: Environment;
}

/**
 * Compiles what the primary has given. After an upgrade in place a gateway may be of a newer build than its primary; it then checks
 * the files itself, because what another version has checked may lack a field. Throws with one line that names the mistake.
 */
export async function compileGiven({
  build,
  source,
  secrets,
  ...given
}: GivenConfiguration): Promise<CompiledConfiguration> {
  const checked = isDeepStrictEqual(build, OWN_BUILD) ? given.checked : await checkAgain(source);
  return { source, secrets, checked, environment: compileEnvironment(checked) };
}

async function checkAgain(source: GivenConfiguration['source']): Promise<GivenConfiguration['checked']> {
  const { checkEnvironment } = await import('../programme/load.ts');
  return checkEnvironment(source);
}
