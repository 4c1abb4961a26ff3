import { library, type TsupConfig } from '../../tsup.base.js';
import { dataAsText, plainNamespaces } from './tsup.data.js';

const config: TsupConfig = library(['src/index.ts', 'src/core.ts'], { esbuildPlugins: [dataAsText, plainNamespaces] });
export default config;
