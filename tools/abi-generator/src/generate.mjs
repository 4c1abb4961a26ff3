/** Writes the generated files of packages/abi and docs/errors.md. Twice in a row gives no difference. */
import { writeFileSync } from 'node:fs';
import { generatedFiles } from './files.mjs';

const root = new URL('../../../', import.meta.url);
for (const [path, content] of generatedFiles) writeFileSync(new URL(path, root), content);
