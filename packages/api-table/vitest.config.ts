import { project, type VitestConfig } from '../../vitest.base.js';

const config: VitestConfig = project('api-table', { files: 'together' });
export default config;
