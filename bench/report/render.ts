import { type Picture, STYLE } from './picture.ts';

/** Vega's own number. */
const ERRORS_ONLY = 1;

/** Of a usual sans-serif, as a share of its height. */
const LETTER_WIDTH = 0.58;

/**
 * Draws a picture as SVG, without a browser. The charting library is there only once the benchmark's packages are
 * installed, so it is loaded here and not before.
 */
export async function renderSvg({ title, description, drawing }: Picture): Promise<string> {
  const [vega, lite] = await Promise.all([import('vega'), import('vega-lite')]);
  vega.textMetrics.width = estimateWidth;
  const { spec } = lite.compile({ title, config: STYLE, ...drawing });
  const view = new vega.View(vega.parse(spec), { renderer: 'none', logLevel: ERRORS_ONLY });
  try {
    // One image with its own words: the roles that Vega gives to its parts would only be read in between.
    const svg = (await view.toSVG()).replace(/ (?:role|aria-[a-z]+)="[^"]*"/g, '');
    const words = `<title>${toXml(title)}</title><desc>${toXml(description)}</desc>`;
    return `${svg.replace(/^<svg([^>]*)>/, `<svg role="img"$1>${words}`)}\n`;
  } finally {
    view.finalize();
  }
}

/** Without a canvas Vega takes every letter for 0.8 of its height, and leaves gaps that a sans-serif never fills. */
function estimateWidth({ fontSize = 11 }: { readonly fontSize?: number }, text: unknown): number {
  return String(text ?? '').length * fontSize * LETTER_WIDTH;
}

function toXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
