/** A part of an open file. */
export interface FileRegion {
  readonly offsetBytes: number;
  readonly sizeBytes: number;
}

/** What a runtime can do for HotSwap beyond its tables. What it cannot leaves code objects unseen; none of it is needed for arrays. */
export interface HotSwapHost {
  /** Bytes at an address. May throw. */
  readMemory?(address: bigint, sizeBytes: number): Uint8Array;
  /** A file from its start, or a region of it, by positional reads: the caller's file position stays. May throw. */
  readFile?(file: number, region?: FileRegion): Uint8Array;
  /**
   * A reader over other bytes that says it comes from where `original` comes from (its URI). Without it a plain memory reader is made.
   * May throw.
   */
  deriveReader?(original: bigint, bytes: Uint8Array): bigint;
}
