import type { Counter } from './sale-schemas.ts';

/** Parses the name of a counter: `benefitId:period`, `benefitId#items:period`, `benefitId$currency:period`, `@limitId:period` or `benefitId/grantId:*`; before the colon `~programme` or `~venue` of a limit over all members. */
export function readUsageKey(usageKey: string): Counter {
  const at = usageKey.lastIndexOf(':');
  const [, benefitId = '', sign, name, of] = /^([^/$#~]*)([/$#]?)([^~]*)(?:~(.*))?$/.exec(usageKey.slice(0, at)) ?? [];
  return {
    ...(benefitId.startsWith('@') ? { limitId: benefitId.slice(1) } : { benefitId }),
    ...(sign === '/' && { grantId: name }),
    ...(sign === '$' && { currency: name }),
    ...((of === 'programme' || of === 'venue') && { of }),
    period: usageKey.slice(at + 1),
  };
}
