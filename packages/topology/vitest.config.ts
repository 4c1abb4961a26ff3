import { project, type VitestConfig } from '../../vitest.base.js';

const config: VitestConfig = project('topology');
export default config;
