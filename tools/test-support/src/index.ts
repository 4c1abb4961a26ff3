export { hasTool, requireTool, skipReason } from './outside-tools.js';
export type { ToolCheck } from './outside-tools.js';
