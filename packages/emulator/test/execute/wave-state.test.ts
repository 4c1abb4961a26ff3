import { describeWaves } from './wave-state.js';

describeWaves(['gfx90a', 'gfx942.preload', 'gfx1030', 'gfx1100', 'gfx1201', 'gfx1250.preload'], ['baseline']);
describeWaves(['gfx1100'], ['changing']);
