import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/**
 * The layers: what each package may import. Data flows one way; a package never reaches round the one below it.
 * `browser` packages run in a web page: no `node:` import, no koffi, no Buffer, no process.
 */
const LAYERS = {
  abi: { use: [], browser: true },
  isa: { use: ['abi'], browser: true },
  'code-object': { use: ['abi', 'isa'], browser: true },
  'thunk-loader': { use: ['abi'], native: true },
  topology: { use: ['abi', 'thunk-loader'] },
  queues: { use: ['abi', 'thunk-loader'] },
  'api-table': { use: ['abi'], browser: true },
  'hotswap-tool': { use: ['abi', 'isa', 'code-object', 'api-table'], browser: true },
  emulator: { use: ['abi', 'isa', 'code-object'], browser: true, nodePart: 'src/node/**' },
  runtime: {
    use: ['abi', 'isa', 'code-object', 'thunk-loader', 'topology', 'queues', 'api-table', 'hotswap-tool', 'emulator'],
  },
  cli: { use: ['runtime'] },
};

const ALL = Object.keys(LAYERS);
const MODULE_GLOBALS_OF_NODE = ['process', 'Buffer', 'require', '__dirname', '__filename', 'global'];

/** The import rule of one package's sources. */
function importRule(name, { browser, native }) {
  const patterns = ALL.filter((other) => other !== name && !LAYERS[name].use.includes(other)).map((other) => ({
    group: [`@doorbell/${other}`, `@doorbell/${other}/*`],
    message: `@doorbell/${name} may not use @doorbell/${other} (see the layers in docs/architecture.md).`,
  }));
  patterns.push({
    group: ['**/packages/*', '../../../*/src/*'],
    message: 'Import a sibling package by its name.',
  });
  if (browser) patterns.push({ group: ['node:*'], message: `@doorbell/${name} runs in a web page.` });
  if (!native) patterns.push({ group: ['koffi'], message: `@doorbell/${name} does not call native code.` });
  return ['error', { patterns }];
}

const layerRules = ALL.flatMap((name) => {
  const layer = LAYERS[name];
  const rules = [
    {
      files: [`packages/${name}/src/**/*.ts`],
      rules: {
        'no-restricted-imports': importRule(name, layer),
        ...(layer.browser ? { 'no-restricted-globals': ['error', ...MODULE_GLOBALS_OF_NODE] } : {}),
      },
    },
  ];
  if (layer.nodePart) {
    rules.push({
      files: [`packages/${name}/${layer.nodePart}/*.ts`],
      rules: { 'no-restricted-imports': importRule(name, { native: true }), 'no-restricted-globals': 'off' },
    });
  }
  return rules;
});

export default tseslint.config(
  { ignores: ['**/dist/**', '**/coverage/**', '**/generated/**', '**/.turbo/**', '**/fixtures/**', '**/*.d.mts', 'out/**'] },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
    },
  },
  ...layerRules,
  { files: ['packages/*/src/**/*.ts'], rules: { '@typescript-eslint/no-non-null-assertion': 'error', 'no-console': 'error' } },
  {
    files: ['packages/cli/src/**/*.ts'],
    rules: {
      'no-restricted-imports': ['error', { patterns: [{ group: ['@doorbell/*', '!@doorbell/runtime'] }] }],
    },
  },
  {
    files: ['**/test/**/*.ts', '**/bench/**/*.ts'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    ...tseslint.configs.disableTypeChecked,
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        performance: 'readonly',
        Buffer: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        fetch: 'readonly',
        WebAssembly: 'readonly',
        SharedArrayBuffer: 'readonly',
        Atomics: 'readonly',
        structuredClone: 'readonly',
        AbortController: 'readonly',
        AbortSignal: 'readonly',
        TextDecoder: 'readonly',
        TextEncoder: 'readonly',
      },
    },
  },
);
