/** `npm run errors` writes docs/errors.md from the words and examples of `src/openapi`. */
import { writeFileSync } from 'node:fs';
import { renderErrorPage } from '../src/openapi/error-page.ts';

writeFileSync('docs/errors.md', renderErrorPage());
