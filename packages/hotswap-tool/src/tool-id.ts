/** What a runtime knows this tool by, whatever file it comes from. */
export const HOTSWAP_TOOL_ID = '@doorbell/hotswap-tool';
