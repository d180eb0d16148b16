/** The little of SVG that our pictures need. Colours are readable on white and on black. */

export interface Picture {
  /** File name without its ending. */
  readonly name: string;
  readonly title: string;
  readonly svg: string;
}

export const WIDTH = 860;
export const HEIGHT = 420;
export const FRAME = { left: 70, right: 20, top: 50, bottom: 55 } as const;

export const COLOURS: Readonly<Record<string, string>> = {
  service: '#d1495b',
  floor: '#8d99ae',
  fastify: '#2e86ab',
  express: '#e0a030',
  'accepted/s': '#3a7d44',
  'refused/s': '#d1495b',
  'slowest accepted': '#2e86ab',
};
const MORE_COLOURS = ['#3a7d44', '#7b2d8b', '#00798c', '#a05a2c'];

export function colourOf(label: string, index: number): string {
  return COLOURS[label] ?? (MORE_COLOURS[index % MORE_COLOURS.length] as string);
}

/** Wraps the drawing with a title and the style of its texts. */
export function picture(name: string, title: string, content: readonly string[]): Picture {
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<title>${toXml(title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    text(WIDTH / 2, 22, title, { anchor: 'middle', size: 15 }),
    ...content,
    '</svg>',
    '',
  ].join('\n');
  return { name, title, svg };
}

function toXml(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

export function text(
  x: number,
  y: number,
  content: string,
  { anchor = 'start', size = 12, colour = '#333' }: { anchor?: string; size?: number; colour?: string } = {},
): string {
  return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}" font-size="${size}" fill="${colour}">${toXml(content)}</text>`;
}

export function line(x1: number, y1: number, x2: number, y2: number, colour = '#ddd'): string {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="${colour}"/>`;
}

export function path(points: readonly (readonly [x: number, y: number])[], colour: string): string {
  const steps = points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');
  return `<path d="${steps}" fill="none" stroke="${colour}" stroke-width="1.8"/>`;
}

export function rect(x: number, y: number, width: number, height: number, colour: string, opacity = 1): string {
  const size = `width="${round(Math.max(0, width))}" height="${round(Math.max(0, height))}"`;
  return `<rect x="${round(x)}" y="${round(y)}" ${size} fill="${colour}" opacity="${opacity}"/>`;
}

/** The names of the lines, in a row under the title. */
export function legend(labels: readonly string[]): string[] {
  return labels.flatMap((label, index) => {
    const x = FRAME.left + index * 130;
    return [rect(x, 32, 12, 8, colourOf(label, index)), text(x + 18, 40, label)];
  });
}

/** 1, 2 or 5 times a power of ten, at least `value`. */
export function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-9)));
  return ([1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10) * power;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
