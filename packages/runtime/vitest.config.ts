import { project, type VitestConfig } from '../../vitest.base.js';

const config: VitestConfig = project('runtime');
export default config;
