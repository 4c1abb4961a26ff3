import { project, type VitestConfig } from '../../vitest.base.js';

const config: VitestConfig = project('cli', { files: 'together' });
export default config;
