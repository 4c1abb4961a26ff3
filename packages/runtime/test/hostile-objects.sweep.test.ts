import { testHostileObjects } from './hostile-objects.js';

testHostileObjects(['gfx90a', 'gfx1100', 'gfx1250'], 600);
