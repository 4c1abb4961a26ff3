import { project, type VitestConfig } from '../../vitest.base.js';

const config: VitestConfig = project('abi');
export default config;
