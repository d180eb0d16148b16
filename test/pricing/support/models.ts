/** The models of the components of a basket, as the search gets them, with what the judge says that a choice saves. */
import type { BasketRequest } from '../../../src/contract/basket-request.ts';
import { drawsFirst, findComponents } from '../../../src/pricing/choose/components.ts';
import { judgeTakes } from '../../../src/pricing/choose/judge.ts';
import { type Model, modelOf } from '../../../src/pricing/choose/model.ts';
import { choosePlain } from '../../../src/pricing/choose/plain.ts';
import { plainOffersPerLine } from '../../../src/pricing/choose/plain-offers.ts';
import type { Way } from '../../../src/pricing/choose/way.ts';
import type { BenefitDefinition, ProgrammeDefinition } from '../../../src/pricing/definition.ts';
import { type LineTakes, NOTHING_BOUGHT } from '../../../src/pricing/settle/split.ts';
import type { Work } from '../../../src/pricing/work.ts';
import { posedBy } from './choices.ts';

export interface Posed {
  readonly model: Model;
  readonly work: Work;
  /** Minor units that these ways save on these lines of the walk alone; undefined where they are not permitted. */
  readonly savedBy: (ways: readonly (Way | undefined)[]) => number | undefined;
}

/** `worth`: what a minor unit saved is worth on every line, after discounts on the order. */
export function modelsOf(
  basket: BasketRequest,
  benefits: readonly BenefitDefinition[],
  policies: Partial<ProgrammeDefinition> = {},
  worth = 1,
): Posed[] {
  const { problem: posed, lines, sets } = posedBy(basket, benefits, policies);
  const problem = { ...posed, buyGets: posed.buyGets.filter((offer) => !drawsFirst(offer)) };
  const { work, policy } = problem;
  const choice = choosePlain(problem.plain, lines, policy, work);
  return findComponents(problem, choice).map((component) => {
    const plain = plainOffersPerLine(problem, component.lines).perLine;
    const nothing = lines.map(() => ({ taken: [], bought: NOTHING_BOUGHT, rest: undefined }));
    const own = { offset: 0, takes: nothing, worthOfTakes: () => undefined, everyChoice: false };
    const model = modelOf(problem, component, { plain, drawn: undefined, sets, worth: lines.map(() => worth), ...own });
    const savedBy = (ways: readonly (Way | undefined)[]): number | undefined => {
      const taken = model.places.flatMap(({ line }, at) => (ways[at] ? { line, takes: ways[at].takes } : []));
      const takes: LineTakes[] = [...nothing];
      for (const { line, takes: own } of taken) takes[line.index] = own;
      const indices = taken.map(({ line }) => line.index).sort((a, b) => a - b);
      const judged = judgeTakes(problem, sets, indices, takes);
      if (!judged.isPermitted) return undefined;
      const left = judged.parts.reduce((sum, { rest }) => sum + rest, 0);
      return taken.reduce((sum, { line }) => sum + line.incoming, 0) - left;
    };
    return { model, work, savedBy };
  });
}
