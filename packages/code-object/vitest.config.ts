import { project, type VitestConfig } from '../../vitest.base.js';

const config: VitestConfig = project('code-object', { files: 'together' });
export default config;
