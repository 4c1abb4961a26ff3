import { library, type TsupConfig } from '../../tsup.base.js';

const config: TsupConfig = library(['src/index.ts', 'src/core.ts']);
export default config;
