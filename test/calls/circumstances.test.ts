/** Before a basket is priced: which member counts, and by whom costs are counted. */
import { expect, test } from 'vitest';
import { findMember } from '../../src/calls/circumstances.ts';
import { costFactsOf } from '../../src/calls/cost-facts.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import type { MemberSnapshot } from '../../src/store/members.ts';
import { configurationOf, TWENTY } from '../support/configuration.ts';

const environment = loadEnvironment(JSON.stringify(configurationOf()), 'environment.yaml');
const OSLO = environment.findVenue('oslo-central', '500123')!;

const snapshotOf = (more: Partial<MemberSnapshot> = {}): MemberSnapshot => ({
  ...{ nowMs: 0, movedMs: 0, member: undefined, consumed: new Map(), holds: [], ...more },
});

test('a member of Redis comes before one of the file, and that one before none', () => {
  const stored = { programmeId: 'coffee-club', loyaltyId: 'member-twenty', status: 'paused', grants: [] } as const;
  expect(findMember(environment, OSLO, 'member-twenty', snapshotOf({ member: stored }))).toBe(stored);
  expect(findMember(environment, OSLO, 'member-twenty', snapshotOf())?.grants).toEqual(['twenty']);
  expect(findMember(environment, OSLO, 'nobody', snapshotOf())).toBeUndefined();
});

test('costs are counted by tier, and by the shares that a programme divides its members into', () => {
  const member = { programmeId: 'coffee-club', loyaltyId: 'a', status: 'active', tier: 'gold', grants: [] } as const;
  expect(costFactsOf(OSLO.programme, undefined)).toStrictEqual({});
  expect(costFactsOf(OSLO.programme, member)).toStrictEqual({ tier: 'gold' });
  const share = (salt: string, from: number, below: number) => ({ share: { from, below, salt } });
  const benefits = [
    { ...TWENTY, benefitId: 'spring', when: share('spring', 0, 100) },
    { ...TWENTY, benefitId: 'autumn', when: share('autumn', 0, 100) },
  ];
  const divided = loadEnvironment(JSON.stringify(configurationOf({ programme: { benefits }, members: [] })), 'e.yaml');
  const facts = costFactsOf(divided.venues[0]!.programme, member);
  expect(facts).toEqual({ tier: 'gold', share: 'autumn 0-100, spring 0-100' });
  expect(costFactsOf(divided.venues[0]!.programme, member)).toEqual(facts);
});
