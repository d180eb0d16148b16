import { readFileSync } from 'node:fs';
import { readBasketRequest } from '@loyalty/contract/basket/basket-request';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import { limitedUses } from '@loyalty/engine/price';
import { buildMember, buildVenue } from '../../../packages/engine/test/support/programme.ts';
import { priceAnswer, type RenderedAnswer, renderMemberNotFound } from '../../../src/calls/answer.ts';
import type { StoredCase } from './cases.ts';

/** A stored answer as some version of the service wrote it. */
export interface Vector {
  readonly about: string;
  readonly request: string;
  /** Base64. */
  readonly stored: string;
  readonly answer: string;
}

/** By the number of the stored form. */
export type VectorFile = 'digest-1' | 'digest-2';

export function pathOf(name: VectorFile): string {
  return new URL(`vectors/${name}.json`, import.meta.url).pathname;
}

export function readVectors(name: VectorFile): readonly Vector[] {
  return JSON.parse(readFileSync(pathOf(name), 'utf8')) as Vector[];
}

/** Answers the case as a first call does. */
export function answerFresh({ request, benefits, policies, products = [], member }: StoredCase): RenderedAnswer {
  const read = readBasketRequest(Buffer.from(request), undefined);
  if (!read.ok) throw new Error(read.refusal.message);
  return member === 'nobody'
    ? renderMemberNotFound(read.value)
    : answerBasket(read.value, { benefits, ...(member && { member }), ...(policies && { policies }), products });
}

export function answerBasket(
  basket: BasketRequest,
  { benefits, policies, products = [], member }: Pick<StoredCase, 'benefits' | 'policies' | 'products' | 'member'>,
): RenderedAnswer {
  const venue = buildVenue([...benefits], policies, [...products]);
  const uses = limitedUses(venue, basket.requestedAt);
  const available = new Map(uses.map(({ usageKey, limit }) => [usageKey, limit]));
  const known = buildMember(member === 'nobody' ? {} : member);
  const { rendered } = priceAnswer({ basket, member: known, venue, available });
  if (rendered.fault !== undefined) throw new Error(rendered.fault.field);
  return rendered;
}
