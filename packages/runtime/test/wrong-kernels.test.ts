import { describeWrongKernels } from './wrong-kernels.js';

describeWrongKernels([
  ['gfx1100', 1],
  ['gfx1100', 2],
  ['gfx90a', 2],
]);
