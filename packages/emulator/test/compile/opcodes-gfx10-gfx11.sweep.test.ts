import { sweepOpcodes } from './sweep-opcodes.js';

sweepOpcodes(/^gfx1[01]/);
