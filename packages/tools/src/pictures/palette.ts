/** The colours of all our pictures, distinguishable with impaired colour vision and readable on white. */
export const PALETTE = {
  red: '#c8324c',
  blue: '#1f78a8',
  amber: '#d98e04',
  grey: '#7d8899',
} as const;

/** Colours of text, frame lines and background. */
export const INK = { text: '#1f2937', quiet: '#4b5563', grid: '#e5e7eb', ground: '#ffffff' } as const;
