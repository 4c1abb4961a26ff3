/** Builds the preloaded library with the machine's C compiler. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const CLIENT = fileURLToPath(new URL('client/', import.meta.url));
const FLAGS = ['-shared', '-fPIC', '-fvisibility=hidden', '-O2', '-Wall', '-Wextra', '-Werror', '-U_FORTIFY_SOURCE'];

/** Builds it into `folder`; the library's path, for LD_PRELOAD. */
export function buildShim(folder) {
  const library = join(folder, 'libdoorbell-kfd.so');
  const sources = readdirSync(CLIENT).filter((name) => name.endsWith('.c'));
  const paths = sources.map((name) => join(CLIENT, name));
  execFileSync('gcc', [...FLAGS, '-idirafter', join(CLIENT, 'absent'), '-o', library, ...paths, '-ldl'], { stdio: 'inherit' });
  return library;
}
