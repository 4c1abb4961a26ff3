import { library, type TsupConfig } from '../../tsup.base.js';

/** MessagePack is part of the bundle: its form for Node is a dozen CommonJS files, which take longer to load than this package. */
const config: TsupConfig = library(['src/index.ts', 'src/core.ts'], { noExternal: ['@msgpack/msgpack'] });
export default config;
