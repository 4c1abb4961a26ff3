import { project, type VitestConfig } from '../../vitest.base.js';

const config: VitestConfig = project('runtime', { files: 'together' });
export default config;
