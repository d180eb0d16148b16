import { percentOf } from '../../money/round.ts';
import type { LinePercentRule } from '../programme.ts';

/** `line_percent`: round_half_up(originalLinePrice × percent / 100), in minor units (specification, BasketLineOut). */
export function linePercentAmount(rule: LinePercentRule, originalLinePrice: number): number {
  return percentOf(originalLinePrice, rule.percentHundredths);
}
