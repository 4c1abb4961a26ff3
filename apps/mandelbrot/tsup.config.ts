import { application } from '../../tsup.base.js';

export default application(['src/main.ts']);
