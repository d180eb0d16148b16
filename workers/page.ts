import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * The thread that makes JavaScript of the modules of a page: `workerData` is their folder, and the message has name and code of
 * each. A module imports another one by the name under which it is served.
 */
const names = readdirSync(workerData as string).filter((name) => name.endsWith('.ts'));
const read = (name: string) => readFileSync(join(workerData as string, name), 'utf8');
const toJavaScript = (code: string) => stripTypeScriptTypes(code).replace(/(?<='\.\/[\w-]+)\.ts(?=')/g, '.js');
parentPort?.postMessage(names.map((name) => [name.replace(/ts$/, 'js'), toJavaScript(read(name))]));
