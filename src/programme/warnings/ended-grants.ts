import { endedBenefits } from '../member-check.ts';
import { nearestName } from '../nearest-name.ts';
import type { Surroundings, Warning } from './surroundings.ts';

/**
 * Warns of grants whose benefit the programme does not have. The campaign ended, which is no error: the grants are kept and
 * give nothing. A name that was misspelt looks the same.
 */
export function* findEndedGrants({ path, programme, benefits, members, isComplete }: Surroundings): Generator<Warning> {
  // A benefit or a member with an error has a message of its own.
  if (!isComplete) return;
  const { programmeId } = programme;
  const known = benefits.map(([, { benefitId }]) => benefitId);
  const grantable = new Map([[programmeId, new Set(known)]]);
  const holders = new Map<string, number>();
  for (const { grants = [] } of members) {
    for (const benefitId of endedBenefits(programmeId, grants, grantable)) {
      holders.set(benefitId, (holders.get(benefitId) ?? 0) + 1);
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
