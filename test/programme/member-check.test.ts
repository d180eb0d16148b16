import { compileProgramme } from '@loyalty/engine/compile/compile';
import { describe, expect, it } from 'vitest';
import { createMemberCheck, endedBenefits, isOfEndedBenefit } from '../../src/programme/member-check.ts';

it('a grant may name a benefit that is switched off, in a compiled programme too', () => {
  const cake = { benefitId: 'cake', kind: 'line_percent', percent: 10, enabled: false } as const;
  const check = createMemberCheck([compileProgramme({ programmeId: 'club', benefits: [cake] })]);
  const member = { programmeId: 'club', loyaltyId: 'anna', status: 'active' };
  expect(check({ ...member, grants: ['cake'] })).toBeUndefined();
  expect(check({ ...member, grants: [{ benefitId: 'cake', grantId: 'card-7' }] })).toBeUndefined();
  expect(check({ ...member, grants: ['cke'] })).toMatchObject({ path: 'grants[0]', unknown: { known: ['cake'] } });
});

describe('a member from outside the file', () => {
  const programmes = [
    { programmeId: 'club', benefits: [{ benefitId: 'cake' }] },
    { programmeId: 'bistro', benefits: [] },
  ];
  const check = createMemberCheck(programmes);
  const anna = { programmeId: 'club', loyaltyId: 'anna', status: 'active' };
  const card = { benefitId: 'old', grantId: 'card-7' };

  it('is of a programme of the file', () => {
    expect(check(anna)).toBeUndefined();
    expect(check({ ...anna, programmeId: 'clb', grants: ['old'] })).toMatchObject({
      path: 'programmeId',
      found: '"clb"',
      allowed: 'one of club, bistro',
      unknown: { name: 'clb', known: ['club', 'bistro'] },
    });
    expect(check({ ...anna, status: 'actve' })).toMatchObject({ path: 'status', unknown: { name: 'actve' } });
  });

  it('keeps grants that it has already, after their campaign has ended', () => {
    const owned = new Set(['old']);
    expect(check({ ...anna, grants: ['old', card] }, owned)).toBeUndefined();
    expect(check({ ...anna, grants: ['cake', card] })).toMatchObject({ path: 'grants[1].benefitId', found: '"old"' });
    expect(check({ ...anna, grants: ['old', 'older'] }, owned)).toMatchObject({ path: 'grants[1]' });
  });

  it('is told which of its grants are of ended campaigns', () => {
    const grantable = new Map([['club', new Set(['cake'])]]);
    const grants = ['cake', 'old', card, { ...card, benefitId: 'older' }];
    expect(endedBenefits('club', grants, grantable)).toEqual(['old', 'older']);
    expect(endedBenefits('bistro', grants, grantable)).toEqual(['cake', 'old', 'older']);
  });

  it('has probably a grant of an ended campaign where its name is no misspelling', () => {
    const isEnded = (name: string, path = 'grants[10]', known = ['summer-2026', 'cake']) =>
      isOfEndedBenefit({ path, found: '', allowed: '', unknown: { name, known } });
    expect([isEnded('winter-sale'), isEnded('summer-2025'), isEnded('summer-25')]).toEqual([true, true, true]);
    expect([isEnded('sumer-2026'), isEnded('cak')]).toEqual([false, false]);
    expect(isEnded('winter-sale', 'members[3].grants[0].benefitId')).toBe(true);
    const others = ['programmeId', 'grants[0].grantId', 'grants[0].benefitId.x', 'grants'];
    expect(others.map((path) => isEnded('winter-sale', path))).toEqual([false, false, false, false]);
    expect(isOfEndedBenefit({ path: 'grants[0]', found: '', allowed: '' })).toBe(false);
  });
});
