import { type Certificate, certify } from '../src/kit/certify.ts';
import { type KitOptions, readOptions } from '../src/kit/options.ts';

/** The kit's command line for the members of the tests' configuration, whose rate limit lets it go on without a pause. */
export function kitOptions(baseUrl: string, secret: string, more: readonly string[] = []): KitOptions {
  return readOptions([
    ...['--base-url', baseUrl, '--secret', secret, '--venue', 'oslo-central', '--bax', '500123'],
    ...['--member-20', 'member-twenty', '--member-none', 'member-plain', '--member-unknown', 'member-nobody'],
    ...['--member-half', 'member-half'],
    ...['--requests-per-second', '5000'],
    ...more,
  ]);
}

export function runKit(baseUrl: string, secret: string, more: readonly string[]): Promise<Certificate> {
  return certify(kitOptions(baseUrl, secret, more));
}
