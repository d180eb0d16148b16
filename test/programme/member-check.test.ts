import { expect, it } from 'vitest';
import { compileProgramme } from '../../src/pricing/compile.ts';
import { createMemberCheck } from '../../src/programme/member-check.ts';

it('a grant may name a benefit that is switched off, in a compiled programme too', () => {
  const cake = { benefitId: 'cake', kind: 'line_percent', percent: 10, enabled: false } as const;
  const check = createMemberCheck([compileProgramme({ programmeId: 'club', benefits: [cake] })]);
  const member = { programmeId: 'club', loyaltyId: 'anna', status: 'active' };
  expect(check({ ...member, grants: ['cake'] })).toBeUndefined();
  expect(check({ ...member, grants: ['cke'] })).toMatchObject({ path: 'grants[0]', unknown: { known: ['cake'] } });
});
