import { project, type VitestConfig } from '../../vitest.base.js';

const config: VitestConfig = project('kfd-shim');
export default config;
