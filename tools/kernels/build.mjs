// Compiles every entry of kernels.json with clang-22 and writes the code object beside its users; `--check` only compares.
//   node tools/kernels/build.mjs [--check]
// The exact command line of each code object is: clang-22 <flags> -mcpu=<target> <source> -o <output>, run in the root.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

/** All code objects: source, output path from the root, and the arguments of the compiler. */
export function codeObjects() {
  return manifest.sources.flatMap(({ source, language, outputs }) =>
    outputs.map(({ output, target, options = [] }) => ({
      output,
      args: [...manifest.languages[language], ...options, '-target', 'amdgcn-amd-amdhsa', `-mcpu=${target}`, '-nogpulib', source],
    })),
  );
}

/** Compiles into `outputPath`; throws with the compiler's words if it fails. */
export function compile(args, outputPath) {
  mkdirSync(dirname(outputPath), { recursive: true });
  const run = spawnSync(manifest.compiler, [...args, '-o', outputPath], { cwd: ROOT, encoding: 'utf8' });
  if (run.error) throw run.error;
  if (run.status !== 0) throw new Error(`${manifest.compiler} ${args.join(' ')}\n${run.stderr}`);
}

/** Rebuilds everything in a temporary folder; the outputs that differ from the committed ones. */
export function differences() {
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-kernels-'));
  try {
    return codeObjects().flatMap(({ output, args }, i) => {
      const fresh = join(folder, `${i}.hsaco`);
      compile(args, fresh);
      return readFileSync(fresh).equals(readFileSync(join(ROOT, output))) ? [] : [output];
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
  for (const { output, args } of codeObjects()) {
    compile(args, join(ROOT, output));
    console.log(output);
  }
}
