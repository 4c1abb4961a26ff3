import { mergeConfig } from 'vitest/config';
import { project, type VitestConfig } from '../../vitest.base.js';

// One compute worker: the functions are small, and starting workers costs more than they save.
const config: VitestConfig = mergeConfig(project('cgen'), { test: { env: { DOORBELL_WORKERS: '1' } } });
export default config;
