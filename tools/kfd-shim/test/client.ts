/** Runs programs that do not know of the emulated device: what the tests share. */
import { execFile, execFileSync } from 'node:child_process';
import { accessSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { skipReason } from '@doorbell/test-support';
import { buildShim, startKfdServer } from '../src/index.mjs';

export interface ProgramRun {
  /** Exit status, or the signal that ended it. */
  readonly code: number | string;
  readonly out: string;
  readonly err: string;
}

const HEADERS = ['/usr/include/hsakmt.h', '/usr/include/hsa/hsa.h', '/usr/include/linux/kfd_ioctl.h'];

/** Why these tests cannot run here; '' when they can. In CI what is missing is a failure. */
export function missing(...programs: readonly string[]): string {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'the shim is for Linux on x86-64';
  const program = skipReason('gcc', ...programs);
  return program === '' ? missingHeader() : program;
}

function missingHeader(): string {
  const absent = HEADERS.filter((path) => !isThere(path));
  if (absent.length > 0 && process.env['DOORBELL_CI'] === '1') throw new Error(`${absent.join(', ')} needed in CI`);
  return absent.length === 0 ? '' : `${absent.join(', ')} not installed`;
}

function isThere(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    // Absent or unreadable: both mean that it cannot be included.
    return false;
  }
}

let folder: string | undefined;
let library: string | undefined;

/** Removes what was compiled: for `afterAll` of each file that compiles, as these share this module. */
export function removeFiles(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  folder = library = undefined;
}

function workFolder(): string {
  return (folder ??= mkdtempSync(join(tmpdir(), 'doorbell-shim-test-')));
}

/** Compiles a C program of this folder; its path. */
export function compileProgram(name: string, ...libraries: readonly string[]): string {
  const source = fileURLToPath(new URL(`programs/${name}.c`, import.meta.url));
  const program = join(workFolder(), name);
  // linux/kfd_ioctl.h wants a header of libdrm, which may be absent.
  const absent = fileURLToPath(new URL('../src/client/absent', import.meta.url));
  const links = libraries.map((library) => `-l${library}`);
  execFileSync('gcc', ['-O1', '-Wall', '-Werror', '-idirafter', absent, '-o', program, source, ...links]);
  return program;
}

/** Runs a program on an emulated GPU of its own. */
export async function runOn(processor: string, program: string, ...options: readonly string[]): Promise<ProgramRun> {
  library ??= buildShim(workFolder());
  await using server = await startKfdServer({ processor, workers: 1 });
  const env = { ...process.env, ...server.env, LD_PRELOAD: library };
  return await new Promise((resolve) => {
    execFile(program, options, { env, timeout: 100_000 }, (error, out, err) => {
      resolve({ code: error === null ? 0 : (error.signal ?? error.code ?? -1), out, err });
    });
  });
}
