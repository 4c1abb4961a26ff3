import { project, type VitestConfig } from '../../vitest.base.js';

const config: VitestConfig = project('cli');
export default config;
