import { findProcessor, HsaError, isHsaError } from '@doorbell/abi';
import type { CodeObjectTarget, CodeObjectVersion, TargetId } from '@doorbell/code-object/core';
import {
  checkMetadataTarget,
  formatIsaName,
  parseElf,
  parseMetadata,
  parseTargetId,
  readHeaderTarget,
} from '@doorbell/code-object/core';

/** Stepping of gfx1250 silicon that code is made for. */
export type Stepping = 'a0' | 'b0';

/** An ISA name with HotSwap's private stepping token taken out. */
export interface SteppedIsa {
  readonly target: TargetId;
  /** What the token says; undefined without one. */
  readonly stepping?: Stepping;
}

/** What a code object is. */
export interface HotSwapIdentity {
  readonly target: CodeObjectTarget;
  /** `amdgcn-amd-amdhsa--gfx90a:xnack-`: features in the order sramecc, xnack; no generic version, no token. */
  readonly isaName: string;
  readonly isGeneric: boolean;
  /** Of gfx1250 code, which compilers make for the later stepping; undefined for every other processor. */
  readonly stepping?: Stepping;
}

/** The identity of a file, with what it was read from. */
export interface CodeObjectIdentity extends HotSwapIdentity {
  /** From EI_ABIVERSION. */
  readonly version: CodeObjectVersion;
  /** A relocatable object is not linked yet. */
  readonly kind: 'executable' | 'relocatable';
  /** `amdhsa.target`, as it is written there; undefined where the metadata names no target. */
  readonly metadataTarget?: string;
  /** How header and metadata contradict each other. */
  readonly mismatch?: HsaError;
}

/** The processor that comes in two steppings under one name. */
export const STEPPED_PROCESSOR = 'gfx1250';

/** Tokens in the feature list of an ISA name: `+` B0, `-` A0. */
const TOKENS: Readonly<Record<string, Stepping>> = { 'gfx1250-b0-specific+': 'b0', 'gfx1250-b0-specific-': 'a0' };

/**
 * Reads an ISA name that may have a stepping token: `amdgcn-amd-amdhsa--gfx1250:gfx1250-b0-specific-`.
 *
 * @throws {HsaError} ERR_INVALID_ARGUMENT for a name that is none, a second token, or a token on another processor.
 */
export function parseSteppedIsa(name: string): SteppedIsa {
  // Callers in C hand on the NUL with the name.
  const parts = name.replace(/\0+$/, '').split(':');
  const tokens = parts.filter((part) => Object.hasOwn(TOKENS, part));
  const target = parseTargetId(parts.filter((part) => !Object.hasOwn(TOKENS, part)).join(':'));
  const [token] = tokens;
  if (token === undefined) return { target };
  if (tokens.length > 1 || target.processor !== STEPPED_PROCESSOR) {
    throw new HsaError('ERR_INVALID_ARGUMENT', {
      message:
        tokens.length > 1
          ? `${name} has ${tokens.length} stepping tokens`
          : `${name}: only ${STEPPED_PROCESSOR} has a stepping token, not ${target.processor}`,
      details: { name },
    });
  }
  const stepping = TOKENS[token];
  return stepping === undefined ? { target } : { target, stepping };
}

/**
 * The identity of a code object, linked or not: from the ELF header, which the metadata must agree with.
 *
 * @throws {HsaError} ERR_CODE_OBJECT…, ERR_METADATA.
 */
export function identifyCodeObject(bytes: Uint8Array): CodeObjectIdentity {
  const identity = readIdentity(bytes);
  if (identity.mismatch !== undefined) throw identity.mismatch;
  return identity;
}

/**
 * What a code object says of itself, in the ELF header and in the metadata. Where the two differ, `mismatch` says how: loaders
 * refuse such a code object.
 *
 * @throws {HsaError} ERR_CODE_OBJECT…, ERR_METADATA for what cannot be read.
 */
export function readIdentity(bytes: Uint8Array): CodeObjectIdentity {
  const { target, version, kind } = readHeaderTarget(bytes);
  const metadata = parseMetadata(parseElf(bytes).notes);
  let mismatch: HsaError | undefined;
  try {
    checkMetadataTarget(target, metadata);
  } catch (error) {
    if (!isHsaError(error)) throw error;
    mismatch = error;
  }
  return {
    ...identifyTarget(target),
    version,
    kind,
    ...(metadata?.target === undefined ? {} : { metadataTarget: metadata.target }),
    ...(mismatch === undefined ? {} : { mismatch }),
  };
}

/**
 * The ISA name of a code object by the rule of comgr's `amd_comgr_get_data_isa_name`: from the ELF header alone.
 *
 * @throws {HsaError} ERR_CODE_OBJECT for another class, OS ABI, machine or processor; ERR_CODE_OBJECT_VERSION.
 */
export function codeObjectIsaName(bytes: Uint8Array): string {
  return formatIsaName(readHeaderTarget(bytes).target);
}

/** The identity that follows from a parsed target. */
export function identifyTarget(target: CodeObjectTarget): HotSwapIdentity {
  return {
    target,
    isaName: formatIsaName(target),
    isGeneric: findProcessor(target.processor)?.isGeneric ?? false,
    // Compilers make B0 code under the one name.
    ...(target.processor === STEPPED_PROCESSOR ? { stepping: 'b0' as const } : {}),
  };
}
