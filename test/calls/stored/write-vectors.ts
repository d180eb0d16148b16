/**
 * Adds the vectors of cases that are not in the file yet: `node test/calls/stored/write-vectors.ts`. A vector that is there
 * is never written again, because it is what an earlier version has stored.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { STORED_CASES, type StoredCase } from './cases.ts';
import { answerFresh, FORM, pathOf, readVectors, type Vector } from './vectors.ts';

writeVectors(FORM, STORED_CASES);

function writeVectors(form: number, cases: readonly StoredCase[]): void {
  const path = pathOf(form);
  const vectors: Vector[] = existsSync(path) ? [...readVectors(form)] : [];
  const known = new Set(vectors.map(({ about }) => about));
  for (const stored of cases.filter(({ about }) => !known.has(about))) {
    const { body, stored: bytes } = answerFresh(stored);
    const [kept, answer] = [bytes.toString('base64'), Buffer.from(body).toString()];
    vectors.push({ about: stored.about, request: stored.request, stored: kept, answer });
  }
  if (vectors.length === known.size) return;
  writeFileSync(path, `${JSON.stringify(vectors, undefined, 1)}\n`);
}
