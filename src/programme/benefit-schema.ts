import { type TSchema, Type } from '@loyalty/contract/schema-type';
import { KINDS } from '@loyalty/engine/benefits/register';
import { CONDITION_FIELDS, LEVEL_FIELDS } from '@loyalty/engine/compile/condition-fields';
import { closed } from '@loyalty/engine/compile/fields';
import type { BenefitKind } from '@loyalty/engine/definition';

/** One schema per kind of benefit: the common conditions, those of the kind's family, and the kind's own fields. */
export const BENEFIT_SCHEMAS: ReadonlyMap<BenefitKind, TSchema> = new Map(
  (Object.keys(KINDS) as BenefitKind[]).map((kind) => {
    const { level, fields } = KINDS[kind];
    return [
      kind,
      Type.Object({ kind: Type.Literal(kind), ...CONDITION_FIELDS, ...LEVEL_FIELDS[level], ...fields }, closed),
    ];
  }),
);
