// Runs a code object for gfx1030 on an emulated gfx1031: refused as it is, rewritten with a report, proven, and run.
import { retargetAndRun } from './retarget-and-run.js';

process.exitCode = (await retargetAndRun((line) => console.log(line))) ? 0 : 1;
