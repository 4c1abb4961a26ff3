import { sweepOpcodes } from './sweep-opcodes.js';

sweepOpcodes(/^gfx12/);
