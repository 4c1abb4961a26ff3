// `npm test`: installs what is missing, builds, runs every test once. `--sweep` runs the slow sweeps instead, `--soak`
// longer runs of those that have them; further arguments go to vitest. Ends with one line of counts, and says why tests were skipped.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bin, build, ensureInstalled, ROOT, run } from './lib/run.mjs';

ensureInstalled();
build();

const args = process.argv.slice(2);
const soak = args.includes('--soak');
const sweep = soak || args.includes('--sweep');
const folder = mkdtempSync(join(tmpdir(), 'doorbell-test-'));
const report = join(folder, 'report.json');
const { status } = run(
  bin('vitest'),
  [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...args.filter((arg) => arg !== '--sweep' && arg !== '--soak'),
  ],
  { mayFail: true, env: { ...process.env, ...(sweep ? { DOORBELL_SWEEP: '1' } : {}), ...(soak ? { DOORBELL_SOAK: '1' } : {}) } },
);

let failed = status ?? 1;
try {
  const result = JSON.parse(readFileSync(report, 'utf8'));
  const skipped = result.numPendingTests + (result.numTodoTests ?? 0);
  for (const file of result.testResults) {
    const tests = file.assertionResults.filter((t) => t.status === 'skipped' || t.status === 'pending' || t.status === 'todo');
    if (tests.length > 0) {
      console.log(`skipped in ${file.name.slice(ROOT.length + 1)}:`);
      for (const test of tests) console.log(`  ${[...test.ancestorTitles, test.title].filter(Boolean).join(' › ')}`);
    }
  }
  console.log(`${result.numPassedTests} passed, ${result.numFailedTests} failed, ${skipped} skipped`);
  if (result.numPassedTests === 0) failed = 1;
} catch (error) {
  console.error(`vitest left no report: ${error.message}`);
  failed ||= 1;
}
rmSync(folder, { recursive: true, force: true });
process.exit(failed);
