import { sum } from '@loyalty/contract/money/sum';
import type { BuyGetRule, Level, LineRule } from '../compile/rule.ts';
import { type ExistingLineDiscounts, type LineFacts, perUnitOf } from '../lines/lines.ts';
import type { ModifiedUnits } from '../lines/matching.ts';

/**
 * A line whose units are counted together with their modifiers (README.md, Units with modifiers). The search sees it as one
 * line that cannot be split; when a combination is settled, it becomes the lines of the basket again.
 */

/** The lines as one. Existing discounts are taken off the effects on its lines, so it shows none itself. */
function joinLines(head: LineFacts, modifiers: readonly LineFacts[], policy: ExistingLineDiscounts): LineFacts {
  const { units } = head;
  const joined = [head, ...modifiers];
  const lines = joined.map((line) => ({ line, perUnit: perUnitOf(line, units) }));
  const sumOf = (amount: (line: LineFacts) => number): number => joined.reduce((sum, line) => sum + amount(line), 0);
  const isAnyOpen = (isOpen: (line: LineFacts) => boolean): boolean =>
    !head.line.noDiscount && lines.some(({ line, perUnit }) => perUnit > 0 && line.isOpen && isOpen(line));
  const isKept = policy === 'keep' && head.existing > 0;
  return {
    ...head,
    unitPrice: lines.reduce((price, { line, perUnit }) => price + perUnit * line.unitPrice, 0),
    original: sumOf(({ original }) => original),
    existing: 0,
    stacked: 0,
    allocations: [],
    allocated: 0,
    room: sumOf(({ room }) => room),
    incoming: sumOf(({ incoming }) => incoming),
    isSplittable: false,
    isOpen: isAnyOpen(() => true),
    isOpenToLineBenefits: !isKept && isAnyOpen((line) => line.isOpenToLineBenefits),
    isOpenToPercentages: head.isOpenToPercentages && isAnyOpen((line) => isTouchable(line, true)),
    unit: { lines, replaces: policy === 'replace_if_larger' },
  };
}

/** The lines as benefits at line level see them: a line with all that is below it as one. */
export function joinUnits(
  lines: readonly LineFacts[],
  modified: ModifiedUnits | undefined,
  policy: ExistingLineDiscounts,
): readonly LineFacts[] {
  if (!modified) return lines;
  const seen = [...lines];
  for (const { head, modifiers } of modified.families) {
    const below = modifiers.map((line) => lines[line]!);
    seen[head] = joinLines(lines[head]!, below, policy);
    for (const line of modifiers) seen[line] = absorbedLine(lines[line]!);
  }
  return seen;
}

/** A line that another one stands for. */
function absorbedLine(line: LineFacts): LineFacts {
  const nothing = {
    units: 0,
    unitPrice: 0,
    original: 0,
    existing: 0,
    stacked: 0,
    allocations: [],
    allocated: 0,
    room: 0,
  };
  return { ...line, ...nothing, incoming: 0, isSplittable: false, isOpen: false, isOpenToLineBenefits: false };
}

/** True where a benefit may take something off this line of a unit. */
export function isTouchable({ isOpenToLineBenefits, isOpenToPercentages }: LineFacts, isPercentage: boolean): boolean {
  return isOpenToLineBenefits && (!isPercentage || isOpenToPercentages);
}

/** Per line of the unit the units of it that go with `units` of the whole; a benefit of the line that takes all takes what is left over. */
export function countsOfUnit(level: Level, { unit, units: all }: LineFacts, units: number): number[] {
  const isWhole = level === 'line' && units === all;
  return unit!.lines.map(({ line, perUnit }) => (isWhole ? line.units : units * perUnit));
}

type EffectRule = LineRule | BuyGetRule;

/** What the rule takes off each line of the unit, uncut by existing discounts; in minor units. */
function fullEffects(rule: EffectRule, isPercentage: boolean, joined: LineFacts, units: number): number[] {
  const { lines } = joined.unit!;
  const counts = countsOfUnit(rule.level, joined, units);
  const open = lines.map(({ line }) => isTouchable(line, isPercentage));
  if (rule.level === 'line' && rule.together) {
    const rooms = lines.map(({ line }, n) => (open[n] ? Math.min(counts[n]! * line.unitPrice, line.room) : 0));
    let left = rule.together(
      joined,
      units,
      lines.reduce((sum, { line }, n) => sum + (open[n] ? counts[n]! * line.unitPrice : 0), 0),
    );
    return rooms.map((room) => {
      const share = Math.min(left, room);
      left -= share;
      return share;
    });
  }
  return lines.map(({ line }, n) =>
    open[n] && counts[n]! > 0 ? Math.min(rule.effect(line, counts[n]!), line.room) : 0,
  );
}

/** What the rule takes off each line of the unit: nothing where an existing discount that would give way is as large. */
export function effectsOnUnit(rule: EffectRule, isPercentage: boolean, joined: LineFacts, units: number): number[] {
  const { lines, replaces } = joined.unit!;
  return fullEffects(rule, isPercentage, joined, units).map((effect, n) =>
    replaces && effect <= lines[n]!.line.existing ? 0 : effect,
  );
}

/** The effect of a rule on units of a line, on a unit with modifiers less the existing discounts that give way to it. */
export function effectOn(rule: EffectRule, isPercentage: boolean, line: LineFacts, units: number): number {
  const { unit } = line;
  if (!unit) return rule.effect(line, units);
  const effects = effectsOnUnit(rule, isPercentage, line, units);
  if (!unit.replaces) return sum(effects);
  return effects.reduce((saving, effect, n) => saving + (effect > 0 ? effect - unit.lines[n]!.line.existing : 0), 0);
}

/** What is taken off one unit that a rule takes alone, before any existing discount; and the existing discounts of its lines that would give way. */
export function effectAlone(
  rule: EffectRule,
  isPercentage: boolean,
  line: LineFacts,
): { readonly effect: number; readonly existing: number } {
  if (!line.unit) return { effect: rule.effect(line, 1), existing: line.existing };
  const touched = line.unit.lines.filter((own) => isTouchable(own.line, isPercentage));
  const effect = sum(fullEffects(rule, isPercentage, line, 1));
  return { effect, existing: sum(touched.map((own) => own.line.existing)) };
}

/** What a given unit saves before rounding: of one price the units that save less come first in a set. */
export function netSavingOf(joined: LineFacts, rule: BuyGetRule): number {
  const { unit, units } = joined;
  let saving = 0;
  for (const { line, perUnit } of unit!.lines) {
    if (!isTouchable(line, true)) continue;
    const effect = Math.min(rule.extent(line).perUnit * perUnit, line.room / units);
    saving += Math.max(0, effect - (unit!.replaces ? line.existing / units : 0));
  }
  return saving;
}
