import { project, type VitestConfig } from '../../vitest.base.js';

const config: VitestConfig = project('thunk-loader', { files: 'together' });
export default config;
