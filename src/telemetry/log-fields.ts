/**
 * The fields that a line of the log may have beside its level, time, process and message. Any other one is left out, whoever
 * writes it: a field is permitted by being named here, after a look at what it can hold. The line of a call has a list of its own
 * (src/gateway/call-log.ts).
 */
const PERMITTED: ReadonlySet<string> = new Set([
  // Requests, counted or refused, and errors.
  ...['requestId', 'httpStatus', 'route', 'code', 'reason', 'count', 'fault', 'cause', 'server', 'servers', 'remote'],
  // The start, the configuration and its reloads.
  ...['baseUrl', 'opsUrl', 'version', 'commit', 'environment', 'configuration', 'processes', 'workers', 'outcome'],
  ...['restartedLimits', 'removedBenefits', 'removedVenues'],
  // Processes and their resources.
  ...['signal', 'replaced', 'ended', 'startsInMs', 'serving', 'expected', 'hung', 'silent', 'pid', 'open', 'limit'],
  ...['file', 'blocked', 'removed'],
  // The audit log: who did what, and to whom, under a pseudonym.
  ...['who', 'role', 'action', 'programmeId', 'member', 'members', 'calculationId', 'returnId', 'found'],
  ...['from', 'to', 'by'],
  ...['status', 'tier', 'grants', 'grantId', 'counter', 'units', 'into', 'counters', 'calculations', 'holds', 'erased'],
  ...[
    'isDraft',
    'draftMember',
    'dataset',
    'logLevel',
    'refund',
    'venueId',
    'cashRegisterId',
    'clerkNumber',
    'isRepeated',
    'movedSeconds',
    'aged',
  ],
]);

/** The permitted fields of a line. */
export function permittedFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name in fields) {
    if (PERMITTED.has(name)) kept[name] = fields[name];
  }
  return kept;
}
