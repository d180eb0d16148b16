/** The documents as the parser takes them that most generators and API tools are built on. */
import SwaggerParser from '@apidevtools/swagger-parser';
import { expect, test } from 'vitest';
import { adminDocument } from '../../packages/console/src/admin/document.ts';
import { document } from './support.ts';

test.each([
  ['of the interface', document],
  ['of the administration', JSON.parse(JSON.stringify(adminDocument()))],
])('swagger-parser validates the document %s', async (_what, given) => {
  const parsed = await SwaggerParser.validate(structuredClone(given) as unknown as string);
  expect(Object.keys(parsed)).toEqual(Object.keys(given));
});
