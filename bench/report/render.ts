import { type Picture, STYLE } from './picture.ts';

/** Vega's log level for errors. */
const ERRORS_ONLY = 1;

/** Mean letter width of a usual sans-serif, as a share of its height. */
const LETTER_WIDTH = 0.58;

/**
 * Draws a picture as SVG, without a browser. The charting library is imported here, because it exists only after the
 * benchmark's packages are installed.
 */
export async function renderSvg({ title, description, drawing }: Picture): Promise<string> {
  const [vega, lite] = await Promise.all([import('vega'), import('vega-lite')]);
  vega.textMetrics.width = estimateWidth;
  const { spec } = lite.compile({ title, config: STYLE, ...drawing });
  const view = new vega.View(vega.parse(spec), { renderer: 'none', logLevel: ERRORS_ONLY });
  try {
    // The picture is one image with one description; a screen reader would read Vega's roles of its parts in between.
    const svg = (await view.toSVG()).replace(/ (?:role|aria-[a-z]+)="[^"]*"/g, '');
    const words = `<title>${toXml(title)}</title><desc>${toXml(description)}</desc>`;
    return `${svg.replace(/^<svg([^>]*)>/, `<svg role="img"$1>${words}`)}\n`;
  } finally {
    view.finalize();
  }
}

/**
 * Estimates the width of a text. Without a canvas Vega assumes 0.8 of the height per letter, which leaves gaps with a
 * sans-serif.
 */
function estimateWidth({ fontSize = 11 }: { readonly fontSize?: number }, text: unknown): number {
  return String(text ?? '').length * fontSize * LETTER_WIDTH;
}

function toXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
