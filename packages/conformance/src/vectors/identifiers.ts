/** Vectors are files that must come out the same every time, so nothing in them is random. */

/** A UUID that says which group and which vector it belongs to. */
export function vectorUuid(group: number, index: number): string {
  return `${hex(group, 8)}-0000-4000-8000-${hex(index, 12)}`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

/** 32 bytes that are obviously no environment's secret. */
export const VECTOR_SECRET = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
export const VECTOR_OTHER_SECRET = Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - index));
