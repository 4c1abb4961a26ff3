import type { HotSwapIdentity } from '../identity.js';

/** What a finding means for the retarget: worth knowing, not proven (refuses), in the way (refuses). */
export type FindingSeverity = 'info' | 'doubt' | 'blocker';

/** What was looked at; stable ids for tools and documents. */
export type RetargetRule =
  /** The two targets belong to no family that code moves within, or their ISA is not known. */
  | 'pair'
  /** A feature setting (sramecc, xnack) that the code was not made for, or that the target cannot have. */
  | 'feature'
  /** A stepping that only the errata engine could make. */
  | 'stepping'
  /** The code object's version, or that of its generic target. */
  | 'version'
  /** Bytes that code may reach and that are no instruction of the source. */
  | 'undecodable'
  /** The target has no such instruction. */
  | 'missing-instruction'
  /** The same bytes are another instruction, or have other operands, on the target. */
  | 'different-instruction'
  /** The instruction is on both, but what it does or when it may be issued is not the same. */
  | 'hazard'
  /** A field of a kernel descriptor that the target reads otherwise. */
  | 'descriptor'
  /** A kernel needs more than the target has. */
  | 'limit'
  /** How many waves fit changes; results do not. */
  | 'occupancy'
  /** The metadata note: missing, more than one, or not to be changed. */
  | 'metadata'
  /** Code at places that no symbol covers, or that symbols cover in contradicting ways. */
  | 'layout'
  /** The result does not hold what was planned. */
  | 'proof';

/** Text of one instruction on both sides. */
export interface InstructionTexts {
  readonly source: string;
  /** Empty: the target has no instruction of these bytes. */
  readonly target: string;
}

/** One place that a finding is about. */
export interface FindingPlace {
  /** Kernel or function, by its symbol. */
  readonly symbol?: string;
  /** `.text`, and the byte offset in it. */
  readonly section?: string;
  readonly offset?: number;
  readonly instruction?: InstructionTexts;
}

/** Everything of one kind that was found. */
export interface Finding {
  readonly rule: RetargetRule;
  readonly severity: FindingSeverity;
  /** One sentence with values. */
  readonly message: string;
  /** How often. */
  readonly count: number;
  /** The first places, at most {@link MAX_PLACES}. */
  readonly places: readonly FindingPlace[];
}

/** Places that one finding lists. */
export const MAX_PLACES = 8;

/** One thing of the file around the code that changes. */
export interface HeaderChange {
  readonly field: 'e_flags' | 'EI_ABIVERSION' | 'amdhsa.target';
  readonly before: string;
  readonly after: string;
}

/** What one kernel needs, and how it fares on the target. */
export interface KernelReport {
  readonly name: string;
  readonly vgprs: number;
  readonly sgprs: number;
  readonly ldsBytes: number;
  readonly scratchBytes: number;
  readonly waveSize: 32 | 64;
  readonly maxFlatWorkgroupSize: number;
  /** Waves on a SIMD in workgroups of the largest size; undefined for a generic target. */
  readonly wavesPerSimd: { readonly source?: number; readonly target?: number };
}

/** How the two targets are related. */
export type TargetRelation = 'same' | 'features' | 'family' | 'to-generic' | 'from-generic' | 'unrelated';

/** What a retarget would do, and everything that was found on the way. */
export interface RewriteReport {
  readonly source: HotSwapIdentity;
  readonly target: HotSwapIdentity;
  readonly relation: TargetRelation;
  /** What `rewrite` gives. */
  readonly status: RewriteStatus;
  /** Blockers first, then doubts, then the rest. */
  readonly findings: readonly Finding[];
  readonly changes: readonly HeaderChange[];
  readonly kernels: readonly KernelReport[];
  readonly code: CodeCounts;
}

/** What was decoded. */
export interface CodeCounts {
  /** Kernels and functions with code of their own. */
  readonly functions: number;
  readonly instructions: number;
  readonly codeBytes: number;
  /** Padding between and behind them. */
  readonly paddingBytes: number;
}

export type RewriteStatus = 'unchanged' | 'rewritten' | 'refused';

/** A byte range of the rewritten file that need not be as it was. */
export interface DeclaredRange {
  readonly offset: number;
  readonly length: number;
  /** `e_flags`, `amdhsa.target`, `program headers`, … */
  readonly what: string;
}

/** What became of a code object. */
export type RewriteResult =
  | {
      readonly status: 'rewritten';
      readonly bytes: Uint8Array;
      readonly report: RewriteReport;
      readonly ranges: readonly DeclaredRange[];
    }
  | { readonly status: 'unchanged' | 'refused'; readonly report: RewriteReport; readonly ranges: readonly [] };

export interface RewriteOptions {
  /** ISA name or target id, with a stepping token if need be. Default: what the code object says that it is. */
  readonly source?: string;
  /** ISA name or target id of the target, with a stepping token if need be. */
  readonly target: string;
}

/** Whether a rewritten code object is the original but for what a retarget may change. */
export interface RewriteProof {
  readonly ok: boolean;
  readonly source: HotSwapIdentity;
  readonly target: HotSwapIdentity;
  /** Where the two files differ, or where the second is longer, and what lies there. */
  readonly ranges: readonly DeclaredRange[];
  /** One sentence each; empty when `ok`. */
  readonly problems: readonly string[];
  /** What decoding the rewritten file for its target counted. */
  readonly code: CodeCounts;
}

/** How an instruction fares on another generation. */
export type Portability =
  /** The same bytes are the same instruction. */
  | 'same'
  /** The target has it, in another encoding. */
  | 'other-encoding'
  /** The target has an instruction of this name, but it does not take these operands or modifiers. */
  | 'operands'
  /** The target has no instruction of this name. */
  | 'missing'
  /** Bytes that are no instruction of the source. */
  | 'undecodable';

export interface InstructionObstacle {
  readonly mnemonic: string;
  readonly portability: Exclude<Portability, 'same'>;
  readonly count: number;
  /** The first place. */
  readonly place: FindingPlace;
}

export interface KernelPortability {
  readonly name: string;
  /** The kernel could run on the target as it is: nothing stands in the way, in the functions that it may call neither. */
  readonly movesAsIs: boolean;
  /** With the functions that it may call; all of them where it calls what is not known. */
  readonly instructions: number;
  readonly counts: Readonly<Record<Portability, number>>;
  /** What stands in the way beside instructions: wave size, registers, LDS. */
  readonly limits: readonly string[];
  /** Most frequent first. */
  readonly obstacles: readonly InstructionObstacle[];
}

/** Which kernels could move to another target, and what keeps the others. */
export interface TargetComparison {
  readonly source: HotSwapIdentity;
  readonly target: HotSwapIdentity;
  readonly kernels: readonly KernelPortability[];
  /** Over all code, most frequent first. */
  readonly obstacles: readonly InstructionObstacle[];
  readonly counts: Readonly<Record<Portability, number>>;
}
