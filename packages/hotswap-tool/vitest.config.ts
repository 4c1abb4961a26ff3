import { project, type VitestConfig } from '../../vitest.base.js';

const config: VitestConfig = project('hotswap-tool');
export default config;
