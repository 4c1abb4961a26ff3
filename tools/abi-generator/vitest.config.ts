import { project } from '../../vitest.base.js';

export default project('abi-generator');
