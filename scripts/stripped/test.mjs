/** As load.mjs, for the processes of a test. */
import { setFlagsFromString } from 'node:v8';
import './load.mjs';

// A process of a test works for seconds, and what the optimizing compiler takes until then pays off in a day: a seventh of
// the work of a start. Ten times later, as here, it still compiles what is hot under load.
setFlagsFromString('--invocation-count-for-turbofan=30000');
