/**
 * Runs before every file that starts processes: after the file, whatever it left is ended and removed. The exit of the test process
 * would be too late for that, because vitest allows it half a second, and a busy machine removes a large folder in more.
 */
import { afterAll } from 'vitest';
import { cleanUp } from './cleanup.ts';

afterAll(cleanUp);
