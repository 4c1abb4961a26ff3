/** The threads of a machine, as the main thread sees them. */
export interface DeviceThreads {
  /** Starts them, once; later calls do nothing. */
  start(): void;
  readonly isStarted: boolean;
  /** There is work for more than the first compute worker: the others start, once. */
  reinforce(): void;
  /** The first compute worker has too much to do to be the command processor as well: that gets a thread of its own, once. */
  startProcessor(): void;
  /** Optimised code is wanted: the compile worker starts, once. */
  startCompiler(): void;
  /** Called over and over while the main thread spins for an answer; threads of tests take their steps here. */
  relax(): void;
  /** Whether they keep the process alive. */
  setRef(referenced: 'ref' | 'unref'): void;
  /** Ends them all. */
  stop(): Promise<void>;
}
