import type { Judgement } from '../mutant.ts';

export const SCRIPTS: readonly Judgement[] = [];
