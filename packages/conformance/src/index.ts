/** Kit and double for tests of your own: the package `loyalty-basket-conformance`. */

export type { Fault, FaultName } from './double/faults.ts';
export { type DoubleOptions, describeTable, type SeenRequest, ServiceDouble } from './double/service-double.ts';
export { type RowVerdict, renderVerdict, type Verdict } from './double/verdict.ts';
export { type Certificate, certify, Unreachable } from './kit/certify.ts';
export { type KitMembers, type KitOptions, readOptions, UsageError } from './kit/options.ts';
export { renderJson, renderMarkdown } from './kit/report.ts';
