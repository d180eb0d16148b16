import { BASKET } from './judged/basket.ts';
import { CALLS } from './judged/calls.ts';
import { CHOOSE } from './judged/choose.ts';
import { CONFORMANCE } from './judged/conformance.ts';
import { CONTRACT } from './judged/contract.ts';
import { DECIDE } from './judged/decide.ts';
import { GATEWAY } from './judged/gateway.ts';
import { MONEY } from './judged/money.ts';
import { OFFERS } from './judged/offers.ts';
import { PRICING } from './judged/pricing.ts';
import { PROGRAMME } from './judged/programme.ts';
import { SCRIPTS } from './judged/scripts.ts';
import { STORE } from './judged/store.ts';
import type { Judgement } from './mutant.ts';

/** The changes that no test can find. Each says why nothing depends on it. */
export const JUDGED: readonly Judgement[] = [
  ...MONEY,
  ...BASKET,
  ...CONTRACT,
  ...PRICING,
  ...DECIDE,
  ...CHOOSE,
  ...OFFERS,
  ...PROGRAMME,
  ...CALLS,
  ...GATEWAY,
  ...SCRIPTS,
  ...STORE,
  ...CONFORMANCE,
];
