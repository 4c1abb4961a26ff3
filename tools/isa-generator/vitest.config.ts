import { project, type VitestConfig } from '../../vitest.base.js';

const config: VitestConfig = project('isa-generator');
export default config;
