import { library } from '../../tsup.base.js';

export default library(['src/index.ts']);
