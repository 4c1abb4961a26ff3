import { project, type VitestConfig } from '../../vitest.base.js';

const config: VitestConfig = project('emulator');
export default config;
