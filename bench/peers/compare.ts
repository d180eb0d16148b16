import { expectedDiscounts, type Peer, type PeerCase } from './cases.ts';

/** Creates every engine, ours first. Their packages must be installed. */
export async function createPeers(peerCase: PeerCase): Promise<Peer[]> {
  const { ourEngine } = await import('./ours.ts');
  const { jsonRulesEngine } = await import('./json-rules-engine.ts');
  const { zenEngine } = await import('./zen-engine.ts');
  const { medusaPromotions } = await import('./medusa.ts');
  return [ourEngine(peerCase), jsonRulesEngine(peerCase), zenEngine(peerCase), medusaPromotions(peerCase)];
}

/** Finds the baskets for which an engine's discounts differ from the rules. */
export async function findDifferences(peers: readonly Peer[], peerCase: PeerCase): Promise<string[]> {
  const differences: string[] = [];
  for (const { name, price } of peers) {
    for (let basket = 0; basket < peerCase.baskets.length; basket += 1) {
      const expected = expectedDiscounts(peerCase, basket).join();
      const found = (await price(basket)).join();
      if (found !== expected) differences.push(`${name}, basket ${basket}: expected ${expected}, received ${found}`);
    }
  }
  return differences;
}
