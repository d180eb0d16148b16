import { benefitOfGrant, nameOfGrant, type StoredGrant, type StoredMember } from './members.ts';

/** Two grants of one name and benefit become one, with the baskets of both: they have one counter too. */
export function addGrants(own: StoredMember['grants'], more: StoredMember['grants']): StoredMember['grants'] {
  const grants = [...own];
  for (const grant of more) {
    const at = grants.findIndex((other) => nameOfGrant(other) === nameOfGrant(grant));
    const present = grants[at];
    if (present === undefined) grants.push(grant);
    else grants[at] = joined(present, grant);
  }
  return grants;
}

/** A grant without an end or a count is the larger one. */
function joined(one: string | StoredGrant, other: string | StoredGrant): string | StoredGrant {
  if (typeof one === 'string' || benefitOfGrant(one) !== benefitOfGrant(other)) return one;
  if (typeof other === 'string') return other;
  const { benefitId, grantId } = one;
  const quantity = sum(one.quantity, other.quantity);
  const from = one.from !== undefined && other.from !== undefined && one.from > other.from ? other.from : one.from;
  const to = one.to !== undefined && other.to !== undefined && one.to < other.to ? other.to : one.to;
  return {
    benefitId,
    grantId,
    ...(quantity !== undefined && { quantity }),
    ...(from !== undefined && other.from !== undefined && { from }),
    ...(to !== undefined && other.to !== undefined && { to }),
  };
}

function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? undefined : one + other;
}
