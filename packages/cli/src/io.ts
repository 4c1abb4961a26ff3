/** What the command reads from and writes to; a test hands in its own. */
export interface CliIo {
  /** Results. */
  readonly out: (text: string) => void;
  /** Everything else: messages, progress. */
  readonly err: (text: string) => void;
  readonly env: Record<string, string | undefined>;
  /** Whether results may be coloured. */
  readonly colors: boolean;
  /** Whether the error stream is a terminal, whose last line can be rewritten. */
  readonly isTerminal: boolean;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}
