/** Runs tests of other packages over the real libhsakmt, in a process that the shim is preloaded in. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildShim, startKfdServer } from '../src/index.mjs';

export const LIBHSAKMT = '/usr/lib/x86_64-linux-gnu/libhsakmt.so.1';

const at = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** What to run. */
export interface ClientTests {
  /** Folder of the package, from the repository's root. */
  readonly workspace: string;
  readonly file: string;
  /** Pattern of case names; Default: all. */
  readonly only?: string;
}

/** The contract of thunks. */
export const CONTRACT: ClientTests = { workspace: 'packages/thunk-loader', file: 'test/contract/libhsakmt.test.ts' };

export interface ClientRun {
  readonly passed: number;
  /** Names of cases, with what they say. */
  readonly failed: readonly string[];
}

interface VitestReport {
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

/** Runs tests as a client of emulated GPUs of its own. */
export async function runTests(processors: readonly string[], { workspace, file, only = '' }: ClientTests): Promise<ClientRun> {
  const folder = mkdtempSync(join(tmpdir(), 'doorbell-client-'));
  try {
    await using server = await startKfdServer({ processor: processors, workers: 1 });
    const report = join(folder, 'report.json');
    const env = {
      ...process.env,
      ...server.env,
      LD_PRELOAD: buildShim(folder),
      DOORBELL_TEST_ROOT: server.root,
      DOORBELL_TEST_LIBHSAKMT: LIBHSAKMT,
      DOORBELL_TEST_GPUS: String(processors.length),
      DOORBELL_SWEEP: '0',
    };
    const options = ['run', '--root', at(workspace), file, '-t', only];
    const output = ['--reporter=json', `--outputFile=${report}`];
    const vitest = at('node_modules/vitest/vitest.mjs');
    const words = await new Promise<string>((resolve) => {
      execFile(process.execPath, [vitest, ...options, ...output], { env, timeout: 600_000 }, (_error, out, err) => {
        resolve(out + err);
      });
    });
    return read(report, words);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function read(path: string, words: string): ClientRun {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new Error(`vitest wrote no report: ${words}`);
  }
  // Safe: what vitest writes.
  const { testResults } = JSON.parse(text) as VitestReport;
  const cases = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = cases.filter(({ status }) => status === 'failed');
  return {
    passed: cases.filter(({ status }) => status === 'passed').length,
    failed: [
      ...testResults.flatMap(({ message }) => (message === '' ? [] : [message])),
      ...failed.map(({ fullName, failureMessages = [] }) => `${fullName}: ${failureMessages.join('; ')}`),
    ],
  };
}
