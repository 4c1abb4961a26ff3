import { project, type VitestConfig } from '../../vitest.base.js';

const config: VitestConfig = project('queues', { files: 'together' });
export default config;
