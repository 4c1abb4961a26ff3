import { project, type VitestConfig } from '../../vitest.base.js';

const config: VitestConfig = project('emulator', { files: 'together' });
export default config;
