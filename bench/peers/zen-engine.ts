import { ZenEngine } from '@gorules/zen-engine';
import type { GroupRule, Peer, PeerCase } from './cases.ts';

interface Answer {
  readonly lines: readonly ({ readonly discount?: number } | null)[];
}

/** Uses a decision table with a row per group that loops over the lines inside the engine: one call per basket. */
export function zenEngine({ rules, baskets }: PeerCase): Peer {
  const decision = new ZenEngine().createDecision(decisionModel(rules));
  const contexts = baskets.map(({ lines }) => ({
    lines: lines.map(({ productGroupId, originalLinePrice }) => ({ productGroupId, price: originalLinePrice })),
  }));
  return {
    name: '@gorules/zen-engine',
    about: 'a decision table with one row per group, looped over the lines by the engine; one call per basket',
    price: async (at) => {
      const { result } = await decision.evaluate(contexts[at]);
      return (result as Answer).lines.map((line) => line?.discount ?? 0);
    },
  };
}

function decisionModel(rules: readonly GroupRule[]): object {
  const node = (id: string, type: string, content: object) => ({
    id,
    type,
    name: id,
    position: { x: 0, y: 0 },
    content,
  });
  const edge = (sourceId: string, targetId: string) => ({
    id: `${sourceId}-${targetId}`,
    type: 'edge',
    sourceId,
    targetId,
  });
  return {
    contentType: 'application/vnd.gorules.decision',
    nodes: [
      node('request', 'inputNode', { schema: '' }),
      node('discounts', 'decisionTableNode', {
        hitPolicy: 'first',
        executionMode: 'loop',
        inputField: 'lines',
        outputPath: 'lines',
        passThrough: false,
        inputs: [{ id: 'group', name: 'group', field: 'productGroupId' }],
        outputs: [{ id: 'discount', name: 'discount', field: 'discount' }],
        rules: rules.map(({ productGroupId, percent }) => ({
          _id: productGroupId,
          group: JSON.stringify(productGroupId),
          discount: `price * ${percent} / 100`,
        })),
      }),
      node('answer', 'outputNode', { schema: '' }),
    ],
    edges: [edge('request', 'discounts'), edge('discounts', 'answer')],
  };
}
