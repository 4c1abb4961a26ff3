import { Runtime } from '@doorbell/runtime';
import { apiTable, thunkLoader } from '@doorbell/runtime/layers';
import type { FailedTool, LoadedTool } from '@doorbell/runtime';
import type { CheckContext, Finding } from './check.js';
import { finding } from './check.js';

/** What came of the tools that the environment names. */
interface ToolOutcome {
  readonly loadedTools: readonly LoadedTool[];
  readonly failedTools: readonly FailedTool[];
}

/**
 * Tools that HSA_TOOLS_LIB and DOORBELL_TOOLS name: what their files are, and what comes of them when a runtime loads them; and the
 * variables that decide whether AMD's runtime loads them.
 */
export async function checkTools(context: CheckContext): Promise<Finding> {
  const { env, libraries } = context;
  const names = apiTable.parseToolNames(env['HSA_TOOLS_LIB'] ?? '');
  const modules = apiTable.parseToolNames(env['DOORBELL_TOOLS'] ?? '');
  if (names.length + modules.length === 0) return finding('ok', ['HSA_TOOLS_LIB and DOORBELL_TOOLS are not set']);
  const evidence = names.map((name) => `${name}: ${describeTool(libraries, name)}`);
  const { loadedTools, failedTools } = await loadTools(context);
  evidence.push(...loadedTools.map(({ name, path = name }) => `${path} is loaded`), ...failedTools.map(({ message }) => message));
  for (const name of ['HSA_TOOLS_ROCPROFILER_V1_TOOLS', 'HSA_TOOLS_DISABLE_REGISTER', 'HSA_TOOLS_REPORT_LOAD_FAILURE']) {
    if (env[name] !== undefined) evidence.push(`${name}=${env[name]}`);
  }
  if (failedTools.length === 0) return finding('ok', evidence);
  return finding(
    'warning',
    evidence,
    'Programs run without these tools: correct HSA_TOOLS_LIB or DOORBELL_TOOLS, or build the tool for these versions of the API tables.',
  );
}

/** Loads them as a program would, over the emulated GPU. */
async function loadTools({ env, trace }: CheckContext): Promise<ToolOutcome> {
  const runtime = await Runtime.acquire({
    backend: 'emulated',
    env: { ...env, HSA_TOOLS_REPORT_LOAD_FAILURE: '0' },
    ...(trace === undefined ? {} : { trace }),
  });
  try {
    const { loadedTools, failedTools } = runtime;
    return { loadedTools: [...loadedTools], failedTools: [...failedTools] };
  } finally {
    await runtime.release();
  }
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
