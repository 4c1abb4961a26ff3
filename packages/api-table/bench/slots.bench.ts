import { hsa, ref } from '@doorbell/abi';
import { bench, describe } from 'vitest';
import { createApiTables, intercept } from '../src/index.js';

const { public: tables } = createApiTables({
  hsa_signal_load_relaxed: () => 5n,
  hsa_signal_create: (value, _consumers, _list, signal) => {
    signal.value = value;
    return hsa.HSA_STATUS_SUCCESS;
  },
});
const wrapped = createApiTables({ hsa_signal_load_relaxed: () => 5n }).public;
intercept(wrapped.core, 'hsa_signal_load_relaxed', (next) => (signal) => next(signal));
const signal = ref(0n);

describe('a call through a slot', () => {
  bench('hsa_signal_load_relaxed', () => {
    tables.core.hsa_signal_load_relaxed(16n);
  });
  bench('hsa_signal_load_relaxed, intercepted', () => {
    wrapped.core.hsa_signal_load_relaxed(16n);
  });
  bench('hsa_signal_create', () => {
    tables.core.hsa_signal_create(1n, 0, null, signal);
  });
});
