import { describeContendedAtomics } from './contended-atomics.js';

describeContendedAtomics([
  ['gfx1100', 2],
  ['gfx90a', 2],
]);
