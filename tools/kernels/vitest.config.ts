import { project, type VitestConfig } from '../../vitest.base.js';

const config: VitestConfig = project('kernels');
export default config;
