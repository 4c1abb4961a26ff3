import { project, type VitestConfig } from '../../vitest.base.js';

const config: VitestConfig = project('topology', { files: 'together' });
export default config;
