import { project, type VitestConfig } from '../../vitest.base.js';

const config: VitestConfig = project('api-table');
export default config;
