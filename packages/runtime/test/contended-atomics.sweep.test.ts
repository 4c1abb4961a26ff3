import { TARGETS } from '../../../bench/kernels/inputs.mjs';
import { describeContendedAtomics } from './contended-atomics.js';

describeContendedAtomics(TARGETS.flatMap((target) => [1, 2, 3].map((workers) => [target, workers] as const)));
