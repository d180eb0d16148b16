import { FRAME, HEIGHT, line, niceCeiling, type Picture, picture, rect, text, WIDTH } from './picture.ts';
import { showNumber } from './spread.ts';

export interface Bar {
  readonly label: string;
  readonly parts: Readonly<Record<string, number>>;
}

const PART_COLOURS = ['#2e86ab', '#d1495b', '#8d99ae'];

/** One bar per label, made of the same parts. */
export function barPicture(name: string, title: string, bars: readonly Bar[]): Picture {
  const parts = Object.keys(bars[0]?.parts ?? {});
  const sums = bars.map((bar) => parts.reduce((sum, part) => sum + (bar.parts[part] ?? 0), 0));
  const most = niceCeiling(Math.max(...sums, 0));
  const span = WIDTH - FRAME.left - FRAME.right - 60;
  const scale = (value: number): number => (value / most) * span;
  const row = (HEIGHT - FRAME.top - FRAME.bottom) / Math.max(1, bars.length);
  const drawn = bars.flatMap((bar, index) => {
    const y = FRAME.top + index * row + row * 0.2;
    let x = FRAME.left;
    const pieces = parts.map((part, at) => {
      const width = scale(bar.parts[part] ?? 0);
      const piece = rect(x, y, width, row * 0.6, PART_COLOURS[at % PART_COLOURS.length] as string);
      x += width;
      return piece;
    });
    const middle = y + row * 0.3 + 4;
    return [
      ...pieces,
      text(FRAME.left - 8, middle, bar.label, { anchor: 'end' }),
      text(x + 6, middle, showNumber(sums[index] ?? 0)),
    ];
  });
  const base = HEIGHT - FRAME.bottom;
  const names = parts.flatMap((part, at) => [
    rect(FRAME.left + at * 130, 32, 12, 8, PART_COLOURS[at % PART_COLOURS.length] as string),
    text(FRAME.left + at * 130 + 18, 40, part),
  ]);
  return picture(name, title, [...names, line(FRAME.left, FRAME.top, FRAME.left, base, '#999'), ...drawn]);
}
