import { SHF_ALLOC, SHF_WRITE, STB_LOCAL, STB_WEAK, STV_DEFAULT } from '../elf/elf-constants.js';
import type { LinkInput, LinkProblem, LinkRelocation, LinkSection, LinkSymbol } from './link-types.js';
import { isDropped } from './output-sections.js';

/** One entry of `.rela.dyn`, before addresses are known. */
export interface DynamicRelocation {
  /** Where: in an input section, or in an entry of the global offset table. */
  readonly place: { readonly section: LinkSection; readonly offset: number } | { readonly gotEntry: number };
  readonly symbol: LinkSymbol;
  readonly addend: bigint;
  /** RELATIVE64: the symbol's address is the addend; else ABS64 by name. */
  readonly isRelative: boolean;
}

/** What relocations ask of the linker. */
export interface RelocationScan {
  readonly dynamic: readonly DynamicRelocation[];
  /** Symbols with an entry in the global offset table, in its order. */
  readonly got: readonly LinkSymbol[];
  readonly problems: readonly LinkProblem[];
}

/** Whether another module may define the symbol instead (LLD: computeIsPreemptible for -shared). */
function isPreemptible(symbol: LinkSymbol): boolean {
  return symbol.binding !== STB_LOCAL && symbol.visibility === STV_DEFAULT && !symbol.isTemporary;
}

/** Finds what has to be relocated when the file is loaded, as LLD does for `-shared --no-undefined`. */
export function scanRelocations(input: LinkInput): RelocationScan {
  const dynamic: DynamicRelocation[] = [];
  const got: LinkSymbol[] = [];
  const problems: LinkProblem[] = [];
  for (const section of input.sections) {
    if (isDropped(section)) continue;
    const isLoaded = (section.flags & SHF_ALLOC) !== 0;
    for (const relocation of section.relocations) {
      const problem = lostTarget(relocation) ?? (isLoaded ? scanOne(section, relocation, { dynamic, got }) : undefined);
      if (problem) problems.push({ ...problem, origin: relocation.origin });
    }
  }
  return { dynamic, got, problems };
}

interface Found {
  readonly dynamic: DynamicRelocation[];
  readonly got: LinkSymbol[];
}

type Problem = Omit<LinkProblem, 'origin'> | undefined;

function lostTarget({ symbol: { name, place } }: LinkRelocation): Problem {
  if (place.kind !== 'section' || !isDropped(place.section)) return undefined;
  return { message: `${name} stands in ${place.section.name}, which the linker leaves out` };
}

function scanOne(section: LinkSection, { type, symbol, offset, addend }: LinkRelocation, found: Found): Problem {
  if (symbol.place.kind === 'undefined' && symbol.binding !== STB_WEAK) {
    return { message: `undefined symbol: ${symbol.name}` };
  }
  const preemptible = isPreemptible(symbol);
  switch (type) {
    case 'ABS64': {
      if (!preemptible && symbol.place.kind !== 'section') return undefined;
      if ((section.flags & SHF_WRITE) === 0) {
        return {
          message: `the address of ${symbol.name} is known only when the file is loaded, and ${section.name} is read-only`,
          hint: 'Put it into .data.rel.ro or .data, or store a difference of symbols.',
        };
      }
      found.dynamic.push({ place: { section, offset }, symbol, addend, isRelative: !preemptible });
      return undefined;
    }
    case 'ABS32':
    case 'ABS32_LO':
    case 'ABS32_HI':
      if (!preemptible && symbol.place.kind !== 'section') return undefined;
      return {
        message: `the address of ${symbol.name} is known only when the file is loaded, and has no room in 32 bits`,
        hint: `Use s_getpc_b64 with ${symbol.name}@rel32@lo+4 and @rel32@hi+12, or a 64-bit .quad in .data.`,
      };
    case 'GOTPCREL':
    case 'GOTPCREL32_LO':
    case 'GOTPCREL32_HI': {
      if (found.got.includes(symbol)) return undefined;
      const place = { gotEntry: found.got.length };
      found.got.push(symbol);
      if (preemptible || symbol.place.kind === 'section') {
        found.dynamic.push({ place, symbol, addend: 0n, isRelative: !preemptible });
      }
      return undefined;
    }
    case 'REL16':
    case 'REL32':
    case 'REL32_LO':
    case 'REL32_HI':
    case 'REL64':
      return preemptible
        ? {
            message: `${symbol.name} has default visibility, so its distance is not known before the file is loaded`,
            hint: `Say .hidden ${symbol.name} or .protected ${symbol.name}, or use ${symbol.name}@gotpcrel32@lo and @gotpcrel32@hi.`,
          }
        : undefined;
    case 'RELATIVE64':
      return { message: 'R_AMDGPU_RELATIVE64 is for linked files' };
  }
}
