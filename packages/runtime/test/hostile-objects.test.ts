import { testHostileObjects } from './hostile-objects.js';

testHostileObjects(['gfx1100', 'gfx90a'], 20);
