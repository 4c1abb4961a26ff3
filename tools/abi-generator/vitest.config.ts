import { project, type VitestConfig } from '../../vitest.base.js';

const config: VitestConfig = project('abi-generator');
export default config;
