import { project, type VitestConfig } from '../../vitest.base.js';

const config: VitestConfig = project('runtime', { files: 'together', setupFiles: ['test/load-runtime.ts'] });
export default config;
