/** Which public pages may be begun: eight at once, and twenty a second, of those that are there. */
import { expect, test, vi } from 'vitest';
import { PublicPages } from '../../src/gateway/public-pages.ts';

const page = { contentType: 'text/html', headers: {}, body: 'page' };
const find = (path: string) => (path === '/docs' ? page : undefined);

function atMs(play: (goOn: (ms: number) => void) => void): void {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    // From the beginning of a second on.
    vi.advanceTimersByTime(1_000 - (performance.now() % 1_000));
    play((ms) => vi.advanceTimersByTime(ms));
  } finally {
    vi.useRealTimers();
  }
}

/** How many pages are given, one after the other, of which each is given back at once. */
function countGiven(pages: PublicPages, most = 100): number {
  let given = 0;
  for (; given < most && pages.take('/docs'); given += 1) pages.release();
  return given;
}

test('eight may be under way, and another one when a place is given back', () => {
  atMs(() => {
    const pages = new PublicPages(find);
    const asked = Array.from({ length: 9 }, () => pages.take('/docs'));
    expect(asked).toEqual([...Array(8).fill(page), undefined]);
    pages.release();
    expect([pages.take('/docs'), pages.take('/docs')]).toEqual([page, undefined]);
  });
});

test('twenty are begun in a second', () => {
  atMs((goOn) => {
    const pages = new PublicPages(find);
    expect(countGiven(pages, 5)).toBe(5);
    goOn(999);
    expect(countGiven(pages)).toBe(15);
    goOn(1);
    expect(countGiven(pages)).toBe(20);
    goOn(1_000);
    expect(countGiven(pages)).toBe(20);
  });
});

test('a page that is not there takes no place', () => {
  atMs(() => {
    const pages = new PublicPages(find);
    for (let asked = 0; asked < 30; asked += 1) expect(pages.take('/openapi.json')).toBeUndefined();
    expect(countGiven(pages)).toBe(20);
  });
});
