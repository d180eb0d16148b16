/** The models of the components of a basket, as the search gets them, with what the judge says that a choice saves. */
import type { BasketRequest } from '@loyalty/contract/basket-request';
import { drawsFirst, findComponents } from '../../src/choose/components.ts';
import { judgeTakes } from '../../src/choose/judge.ts';
import { type Model, modelOf } from '../../src/choose/model.ts';
import { choosePlain } from '../../src/choose/plain.ts';
import { plainOffersPerLine } from '../../src/choose/plain-offers.ts';
import { searchComponent } from '../../src/choose/search-component.ts';
import type { Way } from '../../src/choose/way.ts';
import type { BenefitDefinition, ProgrammeDefinition } from '../../src/definition.ts';
import { type LineTakes, NOTHING_BOUGHT } from '../../src/settle/split.ts';
import { Work } from '../../src/work.ts';
import { posedBy } from './choices.ts';

export interface Posed {
  readonly model: Model;
  readonly work: Work;
  /** Minor units that these ways save on these lines of the walk alone; undefined where they are not permitted. */
  readonly savedBy: (ways: readonly (Way | undefined)[]) => number | undefined;
  /** What the search of the component finds with so many steps. */
  readonly search: (steps: number) => Found;
}

/** Minor units. */
interface Found {
  readonly saved: number;
  readonly mostMissed: number;
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
    const perLine = plainOffersPerLine(problem, component.lines);
    const nothing: LineTakes[] = lines.map(() => ({ taken: [], bought: NOTHING_BOUGHT, rest: undefined }));
    const priceOf = (indices: readonly number[], takes: readonly LineTakes[]): number | undefined => {
      const judged = judgeTakes(problem, sets, indices, takes);
      return judged.isPermitted ? judged.parts.reduce((sum, { rest }) => sum + rest, 0) : undefined;
    };
    const incomingOf = (indices: readonly number[]): number =>
      indices.reduce((sum, index) => sum + lines[index]!.incoming, 0);
    const price = incomingOf(component.lines);
    const input = {
      ...{ plain: perLine, drawn: undefined, sets, takes: nothing, everyChoice: false },
      ...{ worth: lines.map(() => worth), offset: -price },
      worthOfTakes: (takes: readonly LineTakes[]): number | undefined => {
        const own = priceOf(component.lines, takes);
        return own === undefined ? undefined : -own;
      },
    };
    const model = modelOf(problem, component, input);
    const savedBy = (ways: readonly (Way | undefined)[]): number | undefined => {
      const taken = model.places.flatMap(({ line }, at) => (ways[at] ? { line, takes: ways[at].takes } : []));
      const takes = [...nothing];
      for (const { line, takes: own } of taken) takes[line.index] = own;
      const indices = taken.map(({ line }) => line.index).sort((a, b) => a - b);
      const left = priceOf(indices, takes);
      return left === undefined ? undefined : incomingOf(indices) - left;
    };
    const search = (steps: number): Found => {
      const { value = -price, mostMissed } = searchComponent({ ...problem, work: new Work(steps) }, component, input);
      return { saved: price + value, mostMissed };
    };
    return { model, work, savedBy, search };
  });
}
