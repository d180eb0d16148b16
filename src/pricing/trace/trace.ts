import type { BasketLineOut } from '../../contract/basket-response.ts';
import type { Programme } from '../compile/programme.ts';
import { changesBasket } from '../outcome.ts';
import type { Trace, TracedBenefit } from '../types.ts';
import { type BenefitTracing, traceBenefits, withDisabled } from './benefits.ts';
import { traceBought, traceChanges } from './changes.ts';

/** Builds the trace of a decision from what the decision was made of; `lines` are the lines of the answer. */
export function buildTrace(tracing: BenefitTracing, lines: readonly BasketLineOut[]): Trace {
  const { steps, mostMissed } = tracing.outcome.search;
  return {
    method: mostMissed === 0 ? 'exact' : 'bounded',
    steps,
    mostMissed,
    changes: changesBasket(tracing.outcome) ? traceChanges(tracing.outcome, lines) : [],
    bought: lines.length === 0 ? [] : traceBought(tracing.outcome, lines),
    benefits: traceBenefits(tracing),
  };
}

/** The trace for a member who is not active: nothing was looked at. */
export function traceInactive(programme: Programme): Trace {
  const traced = programme.benefits.map(
    ({ benefitId }): TracedBenefit => ({ benefitId, applied: false, saved: 0, reason: 'member_inactive' }),
  );
  return {
    method: 'exact',
    steps: 0,
    mostMissed: 0,
    changes: [],
    bought: [],
    benefits: withDisabled(traced, programme),
  };
}
