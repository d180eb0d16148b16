const CELLS = 24;

/** Renders a share from 0 to 1 as a bar: `████░░░░ 50 %`. */
export function renderBar(share: number): string {
  const filled = Math.round(Math.min(1, share) * CELLS);
  return `${'█'.repeat(filled)}${'░'.repeat(CELLS - filled)} ${Math.floor(share * 100)} %`;
}
