/**
 * For commands that start programs: what the set-up has unpacked for a user who may not install any is found behind what
 * the system has. Imported for that alone.
 */
import { delimiter } from 'node:path';
import { toolchainPrograms } from './setup/paths.mjs';

process.env.PATH = [process.env.PATH || '/usr/bin:/bin', toolchainPrograms].join(delimiter);
