import { project, type VitestConfig } from '../../vitest.base.js';

const config: VitestConfig = project('isa');
export default config;
