import { project, type VitestConfig } from '../../vitest.base.js';

const config: VitestConfig = project('hotswap-tool', { files: 'together' });
export default config;
