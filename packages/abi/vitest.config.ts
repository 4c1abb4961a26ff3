import { project, type VitestConfig } from '../../vitest.base.js';

const config: VitestConfig = project('abi', { files: 'together' });
export default config;
