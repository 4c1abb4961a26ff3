import { findProcessor, HsaError } from '@doorbell/abi';
import type { CodeObjectTarget, TargetId } from '@doorbell/code-object';
import { formatIsaName, parseCodeObject, parseTargetId } from '@doorbell/code-object';

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
  const parts = name.split(':');
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
 * The identity of a code object: from the ELF header, which the metadata must agree with.
 *
 * @throws {HsaError} ERR_CODE_OBJECT…, ERR_METADATA.
 */
export function identifyCodeObject(bytes: Uint8Array): HotSwapIdentity {
  return identifyTarget(parseCodeObject(bytes).target);
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
