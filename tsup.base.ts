import type { Options } from 'tsup';
import { defineConfig } from 'tsup';

export type TsupConfig = ReturnType<typeof defineConfig>;

/** The build of every library package: one ESM bundle per entry with declarations; siblings and koffi stay external. */
export function library(entry: NonNullable<Options['entry']>, options: Pick<Options, 'noExternal'> = {}): TsupConfig {
  return defineConfig({
    ...options,
    entry,
    format: ['esm'],
    target: 'node20',
    // Declarations are made from the siblings' built types, not their sources, which lie outside the package.
    dts: { compilerOptions: { customConditions: [] } },
    clean: true,
    sourcemap: true,
    treeshake: true,
    plugins: [plainNamespaces],
    esbuildOptions: (options) => {
      // A program reads and parses all of it at every start; names stay, for stacks. V8 keeps sources that are not ASCII at two bytes a character.
      options.minifyWhitespace = true;
      options.minifySyntax = true;
      options.charset = 'ascii';
      // What is bundled is taken in its form for ES modules, of which unused parts are left out.
      options.mainFields = ['module', 'main'];
    },
  });
}

/** The build of an application: one file to run, no declarations. */
export function application(entry: NonNullable<Options['entry']>): TsupConfig {
  return defineConfig({ entry, format: ['esm'], target: 'node20', clean: true, sourcemap: true, treeshake: true });
}

type Plugin = NonNullable<Options['plugins']>[number];

/**
 * Makes plain objects of the namespaces that a bundle exports (`export * as hsa from …`): esbuild gives each a function for every member,
 * thousands of them, which are parsed and made at every start. The members are constants, so that their values serve as well. Names stay
 * and lines are not moved: the objects are made on the line of the exports, behind everything else.
 */
const plainNamespaces: Plugin = {
  name: 'plain-namespaces',
  renderChunk(code) {
    const objects: string[] = [];
    const rest = code.replace(/\b__export\((\w+),\s*\{([^{}]*)\}\);?/g, (call, name: string, members: string) => {
      const pairs = [...members.matchAll(/(\w+):\s*\(\)\s*=>\s*(\w+)/g)].map(([, key = '', value = '']) =>
        key === value ? key : `${key}:${value}`,
      );
      if (pairs.length !== members.split(',').filter((member) => member.trim() !== '').length) return call;
      objects.push(`${name}={__proto__:null,${pairs.join(',')}};`);
      return '\n'.repeat(call.split('\n').length - 1);
    });
    const at = rest.lastIndexOf('export{');
    if (objects.length === 0 || at < 0) return undefined;
    return { code: rest.slice(0, at) + objects.join('') + rest.slice(at) };
  },
};
