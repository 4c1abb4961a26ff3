/** A tool library that was found, before it is asked to load. */
export interface FoundTool {
  /** The dynamic loader's handle: the same library has the same, whatever its name. */
  readonly handle: bigint;
  /** What it exports as HSA_AMD_TOOL_PRIORITY, for libraries that are in the process already; `undefined` for those of the list. */
  readonly priority: number | undefined;
}

/**
 * The order in which tools are loaded: those of the list first, as they are listed, then those in the process by their priority. A
 * library that was found twice counts where it comes first.
 */
export function orderTools<T extends FoundTool>(
  found: readonly T[],
): { readonly ordered: readonly T[]; readonly twice: readonly T[] } {
  const listed = found.filter(({ priority }) => priority === undefined);
  const present = found.filter(({ priority }) => priority !== undefined).sort((a, b) => (a.priority ?? 0) - (b.priority ?? 0));
  const handles = new Set<bigint>();
  const ordered: T[] = [];
  const twice: T[] = [];
  for (const tool of [...listed, ...present]) {
    (handles.has(tool.handle) ? twice : ordered).push(tool);
    handles.add(tool.handle);
  }
  return { ordered, twice };
}
