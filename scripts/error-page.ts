/** `npm run errors` writes docs/errors.md from the words and examples of `src/openapi`. */
import { writeFileSync } from 'node:fs';
import { renderErrorPage } from '../src/openapi/error-page.ts';

if (process.argv.includes('--help'))
  process.stdout.write('usage: npm run errors   (writes docs/errors.md; takes nothing)\n');
else writeFileSync('docs/errors.md', renderErrorPage());
