/** Random baskets and programmes as shops have them: campaigns, sets, bundles, coupons, and all of them at a till. */

import type { BasketRequest } from '@loyalty/contract/basket-request';
import { Random } from '../../../simulator/src/random.ts';
import type { BenefitDefinition } from '../../src/definition.ts';
import { buildBasket, buildLine } from './basket.ts';

export const SHAPES = ['campaigns', 'sets', 'bundles', 'coupons', 'till'] as const;
type Shape = (typeof SHAPES)[number];

export interface Drawn {
  readonly shape: Shape;
  readonly basket: BasketRequest;
  readonly benefits: readonly BenefitDefinition[];
}

const GROUPS = ['g0', 'g1', 'g2', 'g3'];
const PRODUCTS = 24;
const LINES = [5, 8, 10, 12, 15, 20, 25, 30, 40, 60];
const MOST_LINES_AT_TILL = 15;
const BENEFITS_AT_TILL = 12;

export function drawShape(seed: number): Drawn {
  const random = new Random(seed);
  const shape = SHAPES[seed % SHAPES.length]!;
  const count = shape === 'till' ? random.between(2, MOST_LINES_AT_TILL) : random.pick(LINES);
  const basket = buildBasket(Array.from({ length: count }, (_, at) => drawLine(random, at)));
  const drawn: object[] = [];
  const draw = new Programme(random, (benefit) => drawn.push(benefit));
  draw[shape]();
  const benefits = drawn.map((own, at) => ({ benefitId: `b${String(at).padStart(2, '0')}`, ...own }));
  return { shape, basket, benefits: benefits as BenefitDefinition[] };
}

function drawLine(random: Random, at: number): ReturnType<typeof buildLine> {
  const product = random.below(PRODUCTS);
  return buildLine({
    lineId: `l${at}`,
    productId: `p${product}`,
    productGroupId: GROUPS[product % GROUPS.length]!,
    quantity: random.chance(0.7) ? 1 : random.between(2, 4),
    unitPrice: 500 + 100 * random.below(90) + (random.chance(0.3) ? 90 : 0),
  });
}

class Programme {
  readonly #random: Random;
  readonly #add: (benefit: object) => void;

  constructor(random: Random, add: (benefit: object) => void) {
    this.#random = random;
    this.#add = add;
  }

  campaigns(): void {
    this.#set();
    if (this.#random.chance(0.7)) this.#set();
    if (this.#random.chance(0.7)) this.#bundle();
    this.#percentage();
    this.#limited();
    if (this.#random.chance(0.4)) this.#limited();
    if (this.#random.chance(0.3)) this.#capped();
  }

  sets(): void {
    const count = this.#random.between(2, 5);
    for (let n = 0; n < count; n++) this.#set();
    if (this.#random.chance(0.5)) this.#percentage();
  }

  bundles(): void {
    const count = this.#random.between(2, 5);
    for (let n = 0; n < count; n++) this.#bundle();
    if (this.#random.chance(0.5)) this.#percentage();
    if (this.#random.chance(0.5)) this.#limited();
  }

  coupons(): void {
    const count = this.#random.between(3, 12);
    for (let n = 0; n < count; n++)
      if (this.#random.chance(0.3)) this.#capped();
      else this.#limited();
    this.#percentage();
    if (this.#random.chance(0.4)) this.#set();
  }

  till(): void {
    for (let n = 0; n < BENEFITS_AT_TILL; n++) {
      const kind = this.#random.below(7);
      if (kind === 0) this.#set();
      else if (kind === 1) this.#bundle();
      else if (kind < 5) this.#percentage();
      else this.#limited();
    }
    if (this.#random.chance(0.5)) this.#add({ kind: 'order_percent', percent: this.#random.between(5, 10) });
  }

  #goods(): object {
    const which = this.#random.below(4);
    if (which === 0) return {};
    if (which === 3) {
      const ids = Array.from({ length: 8 }, () => `p${this.#random.below(PRODUCTS)}`);
      return { appliesTo: { productIds: [...new Set(ids)] } };
    }
    const some = GROUPS.filter(() => this.#random.chance(0.5));
    return { appliesTo: { productGroupIds: [...some, GROUPS[this.#random.below(4)]!] } };
  }

  #set(): void {
    const goods = this.#goods();
    const quantity = this.#random.between(1, 3);
    const shares = this.#random.chance(0.2) ? { combinable: true } : {};
    const get = { ...goods, quantity: 1, percent: this.#random.pick([100, 100, 50, 30]) };
    this.#add({ kind: 'buy_x_get_y', buy: { ...goods, quantity, ...shares }, get });
  }

  #bundle(): void {
    const items = Array.from({ length: this.#random.between(1, 3) }, () => ({
      appliesTo: { productGroupIds: [this.#random.pick(GROUPS)] },
      quantity: this.#random.between(1, 2),
    }));
    this.#add({ kind: 'bundle_price', items, percent: this.#random.between(10, 40) });
  }

  #percentage(): void {
    this.#add({ kind: 'line_percent', ...this.#goods(), percent: this.#random.between(5, 20) });
  }

  #limited(): void {
    const goods = this.#goods();
    const percent = this.#random.between(20, 60);
    this.#add({ kind: 'line_percent', ...goods, percent, maximumUnits: this.#random.between(1, 4) });
  }

  #capped(): void {
    const goods = this.#goods();
    const percent = this.#random.between(20, 60);
    const maximumUnits = this.#random.between(1, 2);
    const maximumDiscount = 500 + 100 * this.#random.below(20);
    this.#add({ kind: 'line_percent', ...goods, percent, maximumUnits, maximumDiscount });
  }
}
