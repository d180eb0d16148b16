import type { CalculationKey, MemberKey } from './owned-keys.ts';
import { readContentScript } from './scripts/owned-keys.ts';
import type { Store } from './store.ts';

/**
 * What stands in the keys that the copy for a member shows as they stand, by the names of their declarations: a text, or values by their
 * fields. A key that is not there is left out. Throws `StoreUnavailable`.
 */
export async function readShown(
  { connection }: Store,
  declared: Readonly<Record<string, CalculationKey | MemberKey>>,
  keys: Readonly<Record<string, string>>,
): Promise<Record<string, string | Record<string, string>>> {
  const shown: Record<string, string | Record<string, string>> = {};
  for (const [name, { kind, copy }] of Object.entries(declared)) {
    if (copy !== 'as it stands') continue;
    const { words } = await readContentScript(connection, { owned: keys[name] as string }, { kind });
    const texts = words.map(String);
    if (texts.length > 0) shown[name] = kind === 'string' ? texts.join('') : pairsOf(texts);
  }
  return shown;
}

function pairsOf(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(texts.flatMap((text, at) => (at % 2 === 0 ? [[text, texts[at + 1] as string]] : [])));
}
