import { runKit } from '../conformance/kit.ts';

/** `npm run conformance`: the arguments go to the kit, which runs the contract against a deployment. */

process.exitCode = await runKit(process.argv.slice(2));
