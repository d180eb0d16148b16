/** The colours of all our pictures, distinguishable with impaired colour vision and readable on white. */
export const PALETTE = {
  red: '#c8324c',
  blue: '#1f78a8',
  amber: '#d98e04',
  green: '#2f7d4f',
  violet: '#7b2d8b',
  grey: '#7d8899',
  brown: '#8a5a2b',
  teal: '#00798c',
} as const;

/** Colours of text, frame lines and background. */
export const INK = { text: '#1f2937', quiet: '#4b5563', axis: '#9ca3af', grid: '#e5e7eb', ground: '#ffffff' } as const;
