import { channels } from './channels.ts';
import type { Condition } from './condition.ts';
import { share } from './share.ts';
import { tiers } from './tiers.ts';
import { venueIds } from './venue-ids.ts';

/** The register of conditions, by their fields of `when`. Where several are unmet the first is the reason; the later ones are nearer to being met. */
export const CONDITIONS = { tiers, share, venueIds, channels } as const;

type Conditions = typeof CONDITIONS;
export type ConditionName = keyof Conditions;

/** What a window writes of each condition. */
export type WrittenConditions = {
  readonly [Name in ConditionName]?: Conditions[Name] extends Condition<infer Written, infer _> ? Written : never;
};
/** The same compiled; those alone that restrict something. */
export type CompiledConditions = {
  readonly [Name in ConditionName]?: NonNullable<ReturnType<Conditions[Name]['compile']>>;
};

export const CONDITION_NAMES = Object.keys(CONDITIONS) as readonly ConditionName[];

/** A condition of whatever field. It is given values of its own field only. */
export function conditionOf(name: ConditionName): Condition<unknown> {
  return CONDITIONS[name] as unknown as Condition<unknown>;
}

export function compileConditions(when: WrittenConditions): CompiledConditions {
  const compiled: Partial<Record<ConditionName, unknown>> = {};
  for (const name of CONDITION_NAMES) {
    const value = when[name] === undefined ? undefined : conditionOf(name).compile(when[name]);
    if (value !== undefined) compiled[name] = value;
  }
  return compiled as CompiledConditions;
}
