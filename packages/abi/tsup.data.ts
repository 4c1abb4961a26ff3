/** How the build writes generated data, so that a program which loads the package parses little of it. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { runInThisContext } from 'node:vm';
import type { Options } from 'tsup';

type EsbuildPlugin = NonNullable<Options['esbuildPlugins']>[number];

/** A literal of a generated file, alone on the right side or given by a function. */
const LITERAL = /(function \(\) \{\s*return |^export const \w+(?:: .*)? = )(\{[^;]*\})(?: as const)?;/gm;
/** A constant of a generated file that is a number or a string. */
const CONSTANT = /^export const (\w+)(?:: \w+)? = (-?\d\w*|'[^'\\]*')(?: as \w+)?;$/gm;

/**
 * Makes one JSON text of the data in a generated file: a text is passed over when a module is loaded, where literals are parsed, also
 * those in functions that nobody calls. It is read when something of it is first needed.
 */
export const dataAsText: EsbuildPlugin = {
  name: 'data-as-text',
  setup(build) {
    build.onLoad({ filter: /\/src\/generated\/[^/]+\.ts$/, namespace: 'file' }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const data: unknown[] = [];
      const contents = source.replace(LITERAL, (text: string, before: string, literal: string) => {
        const value = valueOf(literal);
        if (!isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value)) return text;
        // Lines stay where they are.
        return `${before}/* @__PURE__ */ datum(${data.push(value) - 1});${'\n'.repeat(text.split('\n').length - 1)}`;
      });
      if (data.length === 0) return { contents, loader: 'ts' };
      const text = JSON.stringify(JSON.stringify(data));
      return {
        contents: `${contents}\nvar data; function datum(index) { return (data ??= JSON.parse(${text}))[index]; }\n`,
        loader: 'ts',
      };
    });
  },
};

/**
 * Makes plain objects of the namespaces that a package exports (`export * as hsa from …`), with what is constant as one JSON text: esbuild
 * makes a variable and a function of every member, thousands of them, which are parsed and made at every start.
 */
export const plainNamespaces: EsbuildPlugin = {
  name: 'plain-namespaces',
  setup(build) {
    build.onLoad({ filter: /\/src\/[^/]+\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const contents = source.replace(
        /^(export|import) \* as (\w+) from '(\.\/generated\/.*)\.js';$/gm,
        (_, way: string, name: string, module: string) =>
          `${way} { namespace as ${name} } from 'namespace:${join(dirname(path), module)}.ts';`,
      );
      return { contents, loader: 'ts' };
    });
    build.onResolve({ filter: /^namespace:/ }, ({ path }) => ({ path: path.slice('namespace:'.length), namespace: 'namespace' }));
    build.onLoad({ filter: /.*/, namespace: 'namespace' }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const names = [...source.matchAll(/^export const (\w+)/gm)].map(([, name = '']) => name);
      const constants = new Map([...source.matchAll(CONSTANT)].map(([, name = '', value = '']) => [name, valueOf(value)]));
      const texts = Object.fromEntries([...constants].filter(([, value]) => typeof value !== 'bigint'));
      const others = names.filter((name) => !Object.hasOwn(texts, name)).join(', ');
      const contents =
        `import { ${others} } from ${JSON.stringify(path)};\n` +
        `export const namespace = /* @__PURE__ */ Object.assign(/* @__PURE__ */ Object.create(null), /* @__PURE__ */ JSON.parse(${JSON.stringify(JSON.stringify(texts))}), { ${others} });`;
      return { contents, loader: 'js', resolveDir: dirname(path) };
    });
  },
};

/** Of a literal in one of our own generated files. */
function valueOf(literal: string): unknown {
  return runInThisContext(`(${literal})`);
}
