import { INK } from './palette.ts';

/** The parts of a picture in SVG. */

export const WIDTH = 860;

interface TextStyle {
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly size?: number;
  readonly colour?: string;
  readonly weight?: number;
}

/** A whole picture; `description` tells whoever cannot see it what it shows. */
export function svg(title: string, description: string, height: number, parts: readonly string[]): string {
  const box = `width="${WIDTH}" height="${height}"`;
  return [
    `<svg role="img" xmlns="http://www.w3.org/2000/svg" ${box} viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif">`,
    `<title>${toXml(title)}</title>`,
    `<desc>${toXml(description)}</desc>`,
    `<rect ${box} fill="${INK.ground}"/>`,
    text(16, 30, title, { size: 16, colour: INK.text, weight: 600 }),
    ...parts,
    '</svg>\n',
  ].join('\n');
}

export function text(x: number, y: number, content: string, style: TextStyle = {}): string {
  const { anchor = 'start', size = 12, colour = INK.quiet, weight = 400 } = style;
  const look = `text-anchor="${anchor}" font-size="${size}" font-weight="${weight}" fill="${colour}"`;
  return `<text x="${x}" y="${y}" ${look}>${toXml(content)}</text>`;
}

type Point = readonly [x: number, y: number];

export function line(from: Point, to: Point, colour: string, width = 1): string {
  return polyline([from, to], colour, width);
}

export function polyline(points: readonly Point[], colour: string, width: number): string {
  const places = points.map((point) => point.map((at) => at.toFixed(1)).join(',')).join(' ');
  return `<polyline fill="none" stroke="${colour}" stroke-width="${width}" points="${places}"/>`;
}

function toXml(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
