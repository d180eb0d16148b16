import { runDouble } from '../../../packages/conformance/src/double/serve.ts';
import { runKit } from '../../../packages/conformance/src/kit.ts';

/**
 * `npm run conformance`: the arguments go to the kit, which runs the contract against a deployment; after `serve` they go
 * to the service double, which misbehaves on demand.
 */

const [command, ...rest] = process.argv.slice(2);
const write = (text: string): void => void process.stdout.write(text);

process.exitCode = command === 'serve' ? await runDouble(rest, write) : await runKit(process.argv.slice(2), write);
