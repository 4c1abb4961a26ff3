/** `docs/errors.md`: the one table of error codes, with cause and cure. */
import { readFileSync } from 'node:fs';
import prettier from 'prettier';
import ts from 'typescript';

/**
 * The list in packages/abi/src/error-codes.ts, read from the source so that nothing has to be built first.
 * @param {URL} file
 * @returns {Promise<Record<string, { hsaStatus: number, meaning: string, cure?: string }>>}
 */
export async function readErrorCodes(file) {
  const { outputText } = ts.transpileModule(readFileSync(file, 'utf8'), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  const module = await import(`data:text/javascript;base64,${Buffer.from(outputText).toString('base64')}`);
  return module.ERROR_CODES;
}

/**
 * @param {Record<string, { hsaStatus: number, meaning: string, cure?: string }>} codes
 * @param {Record<string, Record<string, number>>} enums of the HSA headers
 */
export async function errorsPage(codes, enums) {
  const names = statusNames(enums);
  const rows = Object.entries(codes).map(([code, { hsaStatus, meaning, cure }]) => {
    const name = names.get(hsaStatus);
    if (name === undefined) throw new Error(`${code}: no HSA status has the number ${hsaStatus}`);
    return `| \`${code}\` | ${meaning} | ${cure ?? ''} | \`${name}\` |`;
  });
  const page = [
    '<!-- Made by tools/abi-generator from packages/abi/src/error-codes.ts (npm run generate). Do not edit. -->',
    '',
    '# Errors',
    '',
    'Every failure that comes from outside (the machine, the driver, a file, an argument) is an `HsaError` with one of these',
    'codes. `error.code` is stable; `error.message` is for people and says what was tried and found; `error.hint` is one action to',
    "take; `error.details` holds the facts; `error.errno` the system's error number where there was one. Recognise them with",
    "`isHsaError(error, 'ERR_…')`. The last column is the `hsa_status_t` that a slot of the API tables returns for the code, unless",
    'the error names a more exact one in `error.hsaStatus`.',
    '',
    '| code | what happened | what to do | HSA status |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
  return prettier.format(page, { parser: 'markdown', printWidth: 120 });
}

/** The first name of each status number. */
function statusNames(enums) {
  const names = new Map();
  for (const constants of Object.values(enums)) {
    for (const [name, value] of Object.entries(constants)) {
      if (/^HSA_(EXT_)?STATUS_/.test(name) && !names.has(value)) names.set(value, name);
    }
  }
  return names;
}
