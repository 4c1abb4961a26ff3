import type { EventSink } from '@doorbell/abi';
import type { HsaApiTable, ToolVersions } from '@doorbell/api-table';
import type { FailedTool } from './failed-tool.js';

/** What a module that `DOORBELL_TOOLS` names exports: the same as a C library that `HSA_TOOLS_LIB` names. */
export interface ToolModule {
  /**
   * Called once, when the runtime is up. Wrap slots with `intercept`. `false` refuses: the tool is left out. What a tool that refuses
   * or throws has put into the tables, it has to take out itself.
   */
  readonly onLoad: (tables: HsaApiTable, context: ToolContext) => boolean | void | Promise<boolean | void>;
  /** Called when the runtime closes, in the reverse order of loading. */
  readonly onUnload?: () => void;
  /** Versions of the tables that it uses; a tool made for others is left out. */
  readonly madeFor?: ToolVersions;
}

/** What a tool is told when it is loaded. */
export interface ToolContext {
  /** Major version of the root table, as C tools get it. */
  readonly runtimeVersion: number;
  /** Tools that failed before this one. */
  readonly failedTools: readonly FailedTool[];
  readonly events: EventSink;
}
