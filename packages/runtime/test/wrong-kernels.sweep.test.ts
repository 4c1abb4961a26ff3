import { TARGETS } from '../../../bench/kernels/inputs.mjs';
import { describeWrongKernels } from './wrong-kernels.js';

describeWrongKernels(TARGETS.flatMap((target) => [1, 2].map((workers) => [target, workers] as const)));
