import { library } from '../../tsup.base.js';

export default library({ index: 'src/index.ts', 'node/index': 'src/node/index.ts', worker: 'src/node/worker.ts' });
