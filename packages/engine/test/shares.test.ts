import { describe, expect, it } from 'vitest';
import { isInShare, type Share, sharePart } from '../src/conditions/share.ts';
import type { BenefitDefinition } from '../src/definition.ts';
import { shareGroupsOf, sharePartsOf } from '../src/offers/shares.ts';
import type { Member } from '../src/types.ts';
import { buildBasket, buildLine } from './support/basket.ts';
import { priceFully } from './support/price.ts';
import { buildMember, buildVenue } from './support/programme.ts';

const MEMBERS = Array.from({ length: 20_000 }, (_, number) => ({
  programmeId: 'coffee-club',
  loyaltyId: `member-${number}`,
}));
const FIRST_HALF: Share = { from: 0, below: 50, salt: 'spring' };
const SECOND_HALF: Share = { ...FIRST_HALF, from: 50, below: 100 };

const countIn = (...shares: Share[]): number =>
  MEMBERS.filter((member) => shares.every((share) => isInShare(share, member))).length;

describe('a share of the members', () => {
  it('is the same for a member everywhere and for ever', () => {
    // These figures are data of the campaigns that run: a new hash would move half of the members.
    const parts = ['spring', 'autumn'].map((salt) => MEMBERS.slice(0, 6).map((member) => sharePart(salt, member)));
    expect(parts).toEqual([
      [1, 77, 91, 9, 38, 7],
      [24, 50, 92, 67, 5, 43],
    ]);
  });

  it('has the size that is written, and the shares of one salt divide the members', () => {
    // Five standard deviations of 20,000 throws of a coin.
    expect(Math.abs(countIn(FIRST_HALF) - 10_000)).toBeLessThan(354);
    expect(countIn(FIRST_HALF) + countIn(SECOND_HALF)).toBe(20_000);
    expect(countIn(FIRST_HALF, SECOND_HALF)).toBe(0);
    const parts = new Map<number, number>();
    for (const member of MEMBERS) {
      const part = sharePart('spring', member);
      parts.set(part, (parts.get(part) ?? 0) + 1);
    }
    expect(parts.size).toBe(100);
    const squares = [...parts.values()].reduce((sum, count) => sum + (count - 200) ** 2 / 200, 0);
    // Chi squared with 99 degrees of freedom exceeds 161 once in ten thousand salts.
    expect(squares).toBeLessThan(161);
  });

  it.each(['autumn', 'spring2', 'Spring', 'sprint', 'gnirps'])('of the salt %s is independent of it', (salt) => {
    expect(Math.abs(countIn(FIRST_HALF, { ...FIRST_HALF, salt }) - 5_000)).toBeLessThan(307);
  });

  it('opens a benefit to its members alone, which an explanation names', () => {
    const members = MEMBERS.map((member) => buildMember(member));
    const inside = members.find((member) => isInShare(FIRST_HALF, member))!;
    const outside = members.find((member) => !isInShare(FIRST_HALF, member))!;
    const benefit: BenefitDefinition = {
      benefitId: 'twenty',
      kind: 'line_percent',
      percent: 20,
      when: { share: FIRST_HALF },
    };
    const decide = (member: Member) =>
      priceFully(buildBasket([buildLine({ lineId: 'a' })]), [benefit], { member, trace: true });
    expect(decide(inside).status).toBe('applied');
    expect(decide(outside)).toMatchObject({ status: 'unchanged', trace: { benefits: [{ reason: 'other_share' }] } });
  });

  it('has both bounds: the lower one belongs to it', () => {
    const isIn = (part: number) =>
      isInShare({ from: 20, below: 40, salt: 's' }, { ...MEMBERS[0]!, shareParts: { s: part } });
    expect([19, 20, 39, 40].map(isIn)).toEqual([false, true, true, false]);
  });

  it('is kept of a member under every salt of the programme, where there is any', () => {
    const of = (...shares: Share[]) =>
      buildVenue(
        shares.map((share, at) => ({
          benefitId: `b${at}`,
          kind: 'line_percent',
          percent: 20,
          when: [{ share }, { tiers: ['gold'] }],
        })) as BenefitDefinition[],
      ).programme;
    const member = MEMBERS[1]!;
    expect(sharePartsOf(of(), member)).toBeUndefined();
    const both = of(FIRST_HALF, { ...FIRST_HALF, salt: 'autumn' });
    expect(sharePartsOf(both, member)).toEqual({ spring: 77, autumn: 50 });
    expect(both.shares).toEqual([FIRST_HALF, { ...FIRST_HALF, salt: 'autumn' }]);
  });

  it('groups the members whom no benefit is for as well', () => {
    const shares = [{ from: 20, below: 40, salt: 'spring' }, FIRST_HALF];
    const member = { programmeId: 'coffee-club', loyaltyId: 'anna' };
    const groupsAt = (part: number) => shareGroupsOf(shares, { ...member, shareParts: { spring: part } });
    expect([0, 19, 20, 39, 40, 49, 50, 99].flatMap(groupsAt)).toEqual([
      ...['spring 0-20', 'spring 0-20', 'spring 20-40', 'spring 20-40'],
      ...['spring 40-50', 'spring 40-50', 'spring 50-100', 'spring 50-100'],
    ]);
    const two = { ...member, shareParts: { spring: 30, autumn: 30 } };
    expect(shareGroupsOf([FIRST_HALF, { from: 0, below: 20, salt: 'autumn' }], two)).toEqual([
      ...['spring 0-50', 'autumn 20-100'],
    ]);
  });
});
