import { library, type TsupConfig } from '../../tsup.base.js';

const config: TsupConfig = library({ index: 'src/index.ts', 'node/index': 'src/node/index.ts', worker: 'src/node/worker.ts' });
export default config;
