import { application, type TsupConfig } from '../../tsup.base.js';

const config: TsupConfig = application(['src/main.ts']);
export default config;
