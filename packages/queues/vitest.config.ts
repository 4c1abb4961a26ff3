import { project, type VitestConfig } from '../../vitest.base.js';

const config: VitestConfig = project('queues');
export default config;
