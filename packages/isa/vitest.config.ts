import { project, type VitestConfig } from '../../vitest.base.js';

const config: VitestConfig = project('isa', { files: 'together' });
export default config;
