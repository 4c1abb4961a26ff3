import { project, type VitestConfig } from '../../vitest.base.js';

const config: VitestConfig = project('cgen');
export default config;
