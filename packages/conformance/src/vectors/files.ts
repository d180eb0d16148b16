import { requestVectors } from './requests.ts';
import { responseVectors } from './responses.ts';
import { saleVectors } from './sales.ts';
import { signingVectors, verifyingVectors } from './signature.ts';

/** The files of `vectors/` by name, with their content. */
export function vectorFiles() {
  return {
    'signature.json': { signing: signingVectors(), verifying: verifyingVectors() },
    'requests.json': { vectors: requestVectors() },
    'responses.json': responseVectors(),
    'sales.json': { vectors: saleVectors() },
  } as const;
}
