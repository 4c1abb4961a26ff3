import { thunkLoader } from '@doorbell/runtime/layers';
import type { CheckContext, Finding } from './check.js';
import { finding } from './check.js';

/** Tool libraries that HSA_TOOLS_LIB names, and the variables that decide whether AMD's runtime loads them. */
export function checkTools({ env, libraries }: CheckContext): Finding {
  const text = env['HSA_TOOLS_LIB'];
  if (text === undefined || text === '') return finding('ok', ['HSA_TOOLS_LIB is not set']);
  const evidence = splitToolNames(text).map((name) => `${name}: ${describeTool(libraries, name)}`);
  for (const name of ['HSA_TOOLS_ROCPROFILER_V1_TOOLS', 'HSA_TOOLS_DISABLE_REGISTER', 'HSA_TOOLS_REPORT_LOAD_FAILURE']) {
    if (env[name] !== undefined) evidence.push(`${name}=${env[name]}`);
  }
  return finding(
    'warning',
    evidence,
    'Doorbell does not load native tool libraries; wrap functions with device.apiTable.intercept instead.',
  );
}

/** Names are separated by spaces; double quotes keep spaces, a backslash keeps what follows (rocr runtime.cpp parse_tool_names). */
export function splitToolNames(text: string): readonly string[] {
  const names: string[] = [];
  let name = '';
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i] ?? '';
    if (character === '\\') {
      i++;
      name += text[i] ?? '';
    } else if (character === '"') {
      isQuoted = !isQuoted;
    } else if (character === ' ' && !isQuoted) {
      names.push(name);
      name = '';
    } else {
      name += character;
    }
  }
  return [...names, name].filter((each) => each !== '');
}

function describeTool(libraries: thunkLoader.LibrarySource, name: string): string {
  const paths = name.includes('/') ? [name] : thunkLoader.placesOf(libraries, [name]).places.map(({ path }) => path);
  const path = paths.find((candidate) => libraries.realPath(candidate).ok);
  if (path === undefined) return `not found in ${paths.length} places`;
  const file = libraries.readBytes(path, 1 << 29);
  if (!file.ok) return `${path} cannot be read (${file.errno})`;
  const elf = thunkLoader.parseElfLibrary(file.value);
  if (!elf.ok) return `${path}: ${elf.reason}`;
  return `${path} ${elf.library.exports.has('OnLoad') ? 'exports OnLoad' : 'lacks OnLoad, so no runtime would load it as a tool'}`;
}
