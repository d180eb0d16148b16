import { byId, textIn } from './dom.ts';

/**
 * Asks for a path every ten seconds while the live section can be seen, and draws each answer that differs from the one
 * before, so that a text being selected stays while nothing changes. Returns the function that asks at once.
 */
export function poll<T>(path: string, faultId: string, draw: (answer: T) => void) {
  let drawn = '';
  const ask = async () => {
    try {
      const answer = await fetch(path);
      if (!answer.ok) throw new Error(String(answer.status));
      const text = await answer.text();
      if (text !== drawn) draw(JSON.parse(text));
      drawn = text;
      textIn(faultId)('');
    } catch {
      textIn(faultId)('Redis cannot be read: these figures are old.');
    }
  };
  setInterval(() => {
    if (!document.hidden && !byId('section-live').hidden) void ask();
  }, 10_000);
  return ask;
}
