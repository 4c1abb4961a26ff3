import { describeWrongKernels } from './wrong-kernels.js';

// The sweep: every target, each with one worker and with two.
describeWrongKernels([
  ['gfx1100', 1],
  ['gfx90a', 2],
]);
