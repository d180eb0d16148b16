import { readdirSync, readFileSync } from 'node:fs';
import { readBasketRequest } from '@loyalty/contract/basket/basket-request';
import type { BasketRequest } from '@loyalty/contract/basket-request';
import { limitedUses } from '@loyalty/engine/offers/limits';
import { buildMember, buildVenue } from '../../../packages/engine/test/support/programme.ts';
import {
  type PricedAnswer,
  priceAnswer,
  type RenderedAnswer,
  renderMemberNotFound,
} from '../../../src/calls/answer.ts';
import { storedForm } from '../../../src/calls/stored/stored-answer.ts';
import type { StoredCase } from './cases.ts';

/** A stored answer as some version of the service wrote it. */
export interface Vector {
  readonly about: string;
  readonly request: string;
  /** Base64. */
  readonly stored: string;
  readonly answer: string;
}

const FOLDER = new URL('vectors/', import.meta.url).pathname;

/** The number of the form in which answers are stored now, and of all that were. */
export const FORM = storedForm({ status: 'member_not_found' }, Buffer.of())[0]!;
export const FORMS: readonly number[] = readdirSync(FOLDER).map((name) => Number.parseInt(name, 10));

export function pathOf(form: number): string {
  return `${FOLDER}${form}.json`;
}

export function readVectors(form: number): readonly Vector[] {
  return JSON.parse(readFileSync(pathOf(form), 'utf8')) as Vector[];
}

/** An answer and what is stored of it. */
type StoredAnswer = RenderedAnswer & { readonly stored: Buffer };

/** Answers the case as a first call does. */
export function answerFresh({ request, benefits, policies, products = [], member }: StoredCase): StoredAnswer {
  const read = readBasketRequest(Buffer.from(request), undefined);
  if (!read.ok) throw new Error(read.refusal.message);
  return member === 'nobody'
    ? storedOf(renderMemberNotFound(read.value))
    : answerBasket(read.value, { benefits, ...(member && { member }), ...(policies && { policies }), products });
}

export function answerBasket(
  basket: BasketRequest,
  { benefits, policies, products = [], member }: Pick<StoredCase, 'benefits' | 'policies' | 'products' | 'member'>,
): StoredAnswer {
  const venue = buildVenue([...benefits], policies, [...products]);
  const uses = limitedUses(venue, basket.requestedAt);
  const available = new Map(uses.map(({ usageKey, limit }) => [usageKey, limit]));
  const known = buildMember(member === 'nobody' ? {} : member);
  return storedOf(priceAnswer({ basket, member: known, venue, available }));
}

function storedOf({ content, rendered }: PricedAnswer): StoredAnswer {
  if (rendered.fault !== undefined) throw new Error(rendered.fault.field);
  return { ...rendered, stored: storedForm(content, rendered.body) };
}
