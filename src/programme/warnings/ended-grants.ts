import { nearestName } from '../nearest-name.ts';
import type { Surroundings, Warning } from './surroundings.ts';

/**
 * Warns of grants whose benefit the programme does not have. The campaign ended, which is no error: the grants are kept and
 * give nothing. A name that was misspelt looks the same.
 */
export function* findEndedGrants({ path, benefits, members, isComplete }: Surroundings): Generator<Warning> {
  // A benefit or a member with an error has a message of its own.
  if (!isComplete) return;
  const known = benefits.map(([, { benefitId }]) => benefitId);
  const holders = new Map<string, number>();
  for (const { grants = [] } of members) {
    const benefitIds = new Set(grants.map((grant) => (typeof grant === 'string' ? grant : grant.benefitId)));
    for (const benefitId of benefitIds) {
      if (!known.includes(benefitId)) holders.set(benefitId, (holders.get(benefitId) ?? 0) + 1);
    }
  }
  for (const [benefitId, count] of holders) {
    const who = count === 1 ? '1 member holds' : `${count} members hold`;
    const nearest = nearestName(benefitId, known);
    const meant = nearest === undefined ? '' : `; if it is misspelt, ${nearest} may be meant`;
    const text = `${who} a grant of ${benefitId}, which the programme does not have: its campaign has ended, and the grant is kept without effect${meant}`;
    yield { path: `${path}.benefits`, text };
  }
}
