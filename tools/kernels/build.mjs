// Compiles every entry of kernels.json with clang-22 and writes the code object beside its users; `--check` only compares.
//   node tools/kernels/build.mjs [--check | <part of an output's path> …]
// The exact command line of each code object is: clang-22 <flags> -mcpu=<target> <source> -o <output>, run in the root; several
// targets are bundled by clang-offload-bundler-22. An output that ends in .gz is compressed; one that ends in .ts is a module with the
// machine code and the kernel descriptor alone.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const manifest = JSON.parse(readFileSync(join(ROOT, 'tools/kernels/kernels.json'), 'utf8'));

/** First line of `clang-22 --version`, or undefined when it is not installed. Other versions make other code. */
export function compilerVersion() {
  const run = spawnSync(manifest.compiler, ['--version'], { encoding: 'utf8' });
  return run.error ? undefined : run.stdout.split('\n')[0];
}

/** Whether the installed compiler is the one that the committed code objects were made by. */
export function isRecordedCompiler() {
  return compilerVersion() === manifest.compilerVersion;
}

/** All outputs: path from the root, and the arguments of the compiler for each target in it. */
export function codeObjects() {
  return manifest.sources.flatMap(({ source, language, outputs }) =>
    outputs.map(({ output, target, targets = [target], options = [] }) => ({
      output,
      parts: targets.map((name) => ({
        target: name,
        args: [...manifest.languages[language], ...options, '-target', 'amdgcn-amd-amdhsa', `-mcpu=${name}`, '-nogpulib', source],
      })),
    })),
  );
}

function mustRun(program, args) {
  const run = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' });
  if (run.error) throw run.error;
  if (run.status !== 0) throw new Error(`${program} ${args.join(' ')}\n${run.stderr}`);
}

/** The kernel descriptor and the machine code of a source's only kernel for each target, as a module that exports them in hexadecimal. */
function compileModule(parts, outputPath) {
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-code-'));
  try {
    const lines = parts.map(({ target, args }) => {
      const [object, section] = [join(folder, 'kernel.hsaco'), join(folder, 'section')];
      mustRun(manifest.compiler, [...args, '-o', object]);
      const hexOf = (name) => {
        mustRun('llvm-objcopy-22', ['-O', 'binary', `--only-section=${name}`, object, section]);
        return readFileSync(section).toString('hex');
      };
      return `  ${target}: {\n    descriptor: '${hexOf('.rodata')}',\n    code: () =>\n      '${hexOf('.text')}',\n  },\n`;
    });
    const source = parts[0].args.at(-1);
    writeFileSync(
      outputPath,
      `// Made by tools/kernels/build.mjs from ${source} with ${manifest.compilerVersion}. Do not edit.\n\n` +
        '/** Descriptor and machine code in hexadecimal, by processor; engines make nothing of a function before it is called. */\n' +
        `export const KERNELS: Readonly<Record<string, { readonly descriptor: string; readonly code: () => string }>> = {\n${lines.join('')}};\n`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Compiles into `outputPath`: one code object, a bundle where there are several targets, or a module where `output` is one. */
export function compile({ output, parts }, outputPath) {
  mkdirSync(dirname(outputPath), { recursive: true });
  if (output.endsWith('.ts')) {
    compileModule(parts, outputPath);
    return;
  }
  if (parts.length === 1) {
    mustRun(manifest.compiler, [...parts[0].args, '-o', outputPath]);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-bundle-'));
  try {
    const files = parts.map(({ target, args }) => {
      const file = join(folder, `${target}.hsaco`);
      mustRun(manifest.compiler, [...args, '-o', file]);
      return file;
    });
    const targets = ['host-x86_64-unknown-linux-gnu', ...parts.map(({ target }) => `hipv4-amdgcn-amd-amdhsa--${target}`)];
    const inputs = ['/dev/null', ...files].map((file) => `-input=${file}`);
    mustRun(manifest.bundler, [
      '-type=o',
      '-bundle-align=4096',
      `-targets=${targets.join(',')}`,
      ...inputs,
      `-output=${outputPath}`,
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const isCompressed = (output) => output.endsWith('.gz');

/** Compiles into the committed file. */
function build(codeObject) {
  const path = join(ROOT, codeObject.output);
  if (!isCompressed(path)) {
    compile(codeObject, path);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-kernels-'));
  try {
    const fresh = join(folder, 'fresh.hsaco');
    compile(codeObject, fresh);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, gzipSync(readFileSync(fresh), { level: 9 }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Rebuilds everything in a temporary folder; the outputs that differ from the committed ones. */
export function differences() {
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-kernels-'));
  try {
    return codeObjects().flatMap((codeObject, i) => {
      const { output } = codeObject;
      const fresh = join(folder, `${i}.hsaco`);
      compile(codeObject, fresh);
      const committed = readFileSync(join(ROOT, output));
      return readFileSync(fresh).equals(isCompressed(output) ? gunzipSync(committed) : committed) ? [] : [output];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--check')) {
    const changed = differences();
    if (changed.length > 0) console.error(`not what their sources give: ${changed.join(', ')}`);
    process.exit(changed.length > 0 ? 1 : 0);
  }
  const wanted = process.argv.slice(2);
  for (const codeObject of codeObjects()) {
    if (wanted.length > 0 && !wanted.some((part) => codeObject.output.includes(part))) continue;
    build(codeObject);
    console.log(codeObject.output);
  }
}
