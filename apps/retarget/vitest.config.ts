import { project, type VitestConfig } from '../../vitest.base.js';

const config: VitestConfig = project('app-retarget');
export default config;
