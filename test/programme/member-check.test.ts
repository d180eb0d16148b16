import { describe, expect, it } from 'vitest';
import { compileProgramme } from '../../src/pricing/compile/compile.ts';
import { createMemberCheck } from '../../src/programme/member-check.ts';

it('a grant may name a benefit that is switched off, in a compiled programme too', () => {
  const cake = { benefitId: 'cake', kind: 'line_percent', percent: 10, enabled: false } as const;
  const check = createMemberCheck([compileProgramme({ programmeId: 'club', benefits: [cake] })]);
  const member = { programmeId: 'club', loyaltyId: 'anna', status: 'active' };
  expect(check({ ...member, grants: ['cake'] })).toBeUndefined();
  expect(check({ ...member, grants: [{ benefitId: 'cake', grantId: 'card-7' }] })).toBeUndefined();
  expect(check({ ...member, grants: ['cke'] })).toMatchObject({ path: 'grants[0]', unknown: { known: ['cake'] } });
});

describe('a grant', () => {
  const cake = { benefitId: 'cake', kind: 'line_percent', percent: 10 } as const;
  const check = createMemberCheck([compileProgramme({ programmeId: 'club', benefits: [cake] })]);
  const faultOf = (...grants: unknown[]) => {
    const fault = check({ programmeId: 'club', loyaltyId: 'anna', status: 'active', grants });
    return fault && `${fault.path}: found ${fault.found}, allowed: ${fault.allowed}`;
  };
  const card = { benefitId: 'cake', grantId: 'card-7' };

  it.each([
    [[{ ...card, quantity: 2, from: '2026-01-01', to: '2026-01-01' }]],
    [[card, { ...card, grantId: 'card-8' }, 'cake']],
    [['cake', 'cake']],
  ])('may be %j', (grants) => {
    expect(faultOf(...grants)).toBeUndefined();
  });

  it.each([
    [{ ...card, benefitId: 'cke' }, 'grants[0].benefitId: found "cke"'],
    [{ benefitId: 'cake' }, 'grants[0].grantId: found nothing'],
    [{ ...card, quantity: 0 }, 'grants[0].quantity: found 0, allowed: baskets, a whole number from 1'],
    [{ ...card, quantity: 1.5 }, 'grants[0].quantity: found 1.5'],
    [{ ...card, to: '2026-02-30' }, 'grants[0].to: found "2026-02-30", allowed: a date such as'],
    [
      { ...card, from: '2026-02-02', to: '2026-02-01' },
      'grants[0].to: found "2026-02-01", allowed: a date from 2026-02-02',
    ],
    [{ ...card, uses: 1 }, 'grants[0]: found the unknown field "uses"'],
    [7, 'grants[0]: found 7, allowed: a benefitId, or { benefitId, grantId'],
  ])('may not be %j', (grant, words) => {
    expect(faultOf(grant)).toContain(words);
  });

  it('has a name of its own', () => {
    expect(faultOf(card, card)).toContain('grants[1].grantId: found "card-7" a second time');
    expect(faultOf('cake', { ...card, grantId: 'cake' })).toContain('grants[1].grantId: found "cake" a second time');
  });
});
