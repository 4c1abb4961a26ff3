import { describeWaves, OBJECTS } from './wave-state.js';

describeWaves(OBJECTS, ['optimised', 'baseline', 'changing']);
