import { Engine, type Event } from 'json-rules-engine';
import type { Peer, PeerCase } from './cases.ts';

const PER_CENT = 100;

/** Uses one rule per group and runs the engine once per basket, which is twenty times cheaper than once per line. */
export function jsonRulesEngine({ rules, baskets }: PeerCase): Peer {
  const engine = new Engine();
  for (const { productGroupId, percent } of rules) {
    engine.addRule({
      conditions: { all: [{ fact: 'groups', operator: 'contains', value: productGroupId }] },
      event: { type: 'percent', params: { productGroupId, percent } },
    });
  }
  const facts = baskets.map(({ lines }) => ({ groups: lines.map(({ productGroupId }) => productGroupId) }));
  return {
    name: 'json-rules-engine',
    about: 'one rule per group that looks for it among the groups of the basket; one run per basket',
    price: async (at) => {
      const { events } = await engine.run(facts[at]!);
      const percents = new Map(events.map(readEvent));
      return baskets[at]!.lines.map(
        ({ productGroupId, originalLinePrice }) => (originalLinePrice * (percents.get(productGroupId) ?? 0)) / PER_CENT,
      );
    },
  };
}

function readEvent({ params }: Event): [group: unknown, percent: number] {
  return [params?.['productGroupId'], params?.['percent'] as number];
}
