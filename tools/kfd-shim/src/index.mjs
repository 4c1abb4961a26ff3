export { buildShim } from './build.mjs';
export { startKfdServer } from './server.mjs';
