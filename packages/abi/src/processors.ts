/** The AMDGPU processors: what code objects are made for, and what agents are. */

/** Prefix of every target name of the HSA runtime. */
export const ISA_NAME_PREFIX = 'amdgcn-amd-amdhsa--';

/** Families that share the layout of kernel descriptors and registers. */
export type Generation = 'gfx6' | 'gfx7' | 'gfx8' | 'gfx9' | 'gfx90a' | 'gfx10' | 'gfx11' | 'gfx12' | 'gfx125' | 'gfx13';

/** A target feature that a processor can be configured for. */
export type TargetFeature = 'sramecc' | 'xnack';

export interface Processor {
  /** `gfx90a`, `gfx11-generic`. */
  readonly name: string;
  /** EF_AMDGPU_MACH value: the low byte of e_flags. */
  readonly mach: number;
  /** Version as the HSA runtime reports it; 255 in minor and stepping of a generic. */
  readonly version: readonly [major: number, minor: number, stepping: number];
  /** Features that target ids of this processor may name. */
  readonly features: readonly TargetFeature[];
  /** The generic processor that covers this one, or the name itself for a generic. */
  readonly generic?: string;
  readonly isGeneric: boolean;
  /** The HSA runtime knows agents of it. */
  readonly isAgentProcessor: boolean;
  /** Name and number come from compilers newer than LLVM 22, and may still change. */
  readonly isProvisional: boolean;
  /** Only ever part of an APU: shares memory with the CPU. */
  readonly isApu: boolean;
  readonly generation: Generation;
  /** Wave size when nothing else is said. */
  readonly waveSize: 32 | 64;
}

/**
 * One row each: mach (hex), name, version, flags (s has sramecc, x has xnack, r the HSA runtime knows agents of it, a APU, p from
 * compilers newer than LLVM 22), generic.
 * Mach values: LLVM ELF.h EF_AMDGPU_MACH_*; versions, features and generics: LLVM AMDGPUUsage, "Processors" and "Generic
 * processor code object versioning"; features of gfx125x as the HSA runtime names them (XNACK is always on there, no name);
 * agents: the HSA runtime's table of instruction sets (rocr isa.cpp).
 */
const ROWS = `
20 gfx600 6.0.0 -
21 gfx601 6.0.1 -
3a gfx602 6.0.2 -
22 gfx700 7.0.0 ra
23 gfx701 7.0.1 r
24 gfx702 7.0.2 r
25 gfx703 7.0.3 -
26 gfx704 7.0.4 -
3b gfx705 7.0.5 -
28 gfx801 8.0.1 xra
29 gfx802 8.0.2 r
2a gfx803 8.0.3 r
3c gfx805 8.0.5 r
2b gfx810 8.1.0 xra
2c gfx900 9.0.0 xr gfx9-generic
2d gfx902 9.0.2 xra gfx9-generic
2e gfx904 9.0.4 xr gfx9-generic
2f gfx906 9.0.6 sxr gfx9-generic
30 gfx908 9.0.8 sxr
31 gfx909 9.0.9 xra gfx9-generic
3f gfx90a 9.0.10 sxr
32 gfx90c 9.0.12 xra gfx9-generic
40 gfx940 9.4.0 sx
4b gfx941 9.4.1 sx
4c gfx942 9.4.2 sxr gfx9-4-generic
4f gfx950 9.5.0 sxr gfx9-4-generic
33 gfx1010 10.1.0 xr gfx10-1-generic
34 gfx1011 10.1.1 xr gfx10-1-generic
35 gfx1012 10.1.2 xr gfx10-1-generic
42 gfx1013 10.1.3 xra gfx10-1-generic
36 gfx1030 10.3.0 r gfx10-3-generic
37 gfx1031 10.3.1 r gfx10-3-generic
38 gfx1032 10.3.2 r gfx10-3-generic
39 gfx1033 10.3.3 ra gfx10-3-generic
3e gfx1034 10.3.4 r gfx10-3-generic
3d gfx1035 10.3.5 ra gfx10-3-generic
45 gfx1036 10.3.6 ra gfx10-3-generic
41 gfx1100 11.0.0 r gfx11-generic
46 gfx1101 11.0.1 r gfx11-generic
47 gfx1102 11.0.2 r gfx11-generic
44 gfx1103 11.0.3 ra gfx11-generic
43 gfx1150 11.5.0 ra gfx11-generic
4a gfx1151 11.5.1 ra gfx11-generic
55 gfx1152 11.5.2 ra gfx11-generic
58 gfx1153 11.5.3 ra gfx11-generic
5d gfx1170 11.7.0 p gfx11-7-generic
5e gfx1171 11.7.1 p gfx11-7-generic
5c gfx1172 11.7.2 p gfx11-7-generic
48 gfx1200 12.0.0 r gfx12-generic
4e gfx1201 12.0.1 r gfx12-generic
49 gfx1250 12.5.0 r gfx12-5-generic
5a gfx1251 12.5.1 r gfx12-5-generic
eb gfx1250-strict 12.5.0 p gfx12-5-generic
50 gfx1310 13.1.0 p gfx13-generic
51 gfx9-generic 9.255.255 x gfx9-generic
5f gfx9-4-generic 9.255.255 sx gfx9-4-generic
52 gfx10-1-generic 10.255.255 x gfx10-1-generic
53 gfx10-3-generic 10.255.255 - gfx10-3-generic
54 gfx11-generic 11.255.255 - gfx11-generic
62 gfx11-7-generic 11.255.255 p gfx11-7-generic
59 gfx12-generic 12.255.255 - gfx12-generic
5b gfx12-5-generic 12.255.255 p gfx12-5-generic
63 gfx13-generic 13.255.255 p gfx13-generic
`;

/** Processors with the unified register file of gfx90a. */
const UNIFIED_FILE: ReadonlySet<string> = new Set(['gfx90a', 'gfx940', 'gfx941', 'gfx942', 'gfx950', 'gfx9-4-generic']);

/** Every processor, ordered by generation. */
export const PROCESSORS: readonly Processor[] = ROWS.trim()
  .split('\n')
  .map((row) => {
    const [mach = '', name = '', version = '', flags = '', generic] = row.split(' ');
    const [major = 0, minor = 0, stepping = 0] = version.split('.').map(Number);
    return {
      name,
      mach: Number.parseInt(mach, 16),
      version: [major, minor, stepping],
      features: [...(flags.includes('s') ? ['sramecc' as const] : []), ...(flags.includes('x') ? ['xnack' as const] : [])],
      ...(generic === undefined ? {} : { generic }),
      isGeneric: name.endsWith('-generic'),
      isAgentProcessor: flags.includes('r'),
      isProvisional: flags.includes('p'),
      isApu: flags.includes('a'),
      generation: generationOf(name, major),
      waveSize: major >= 10 ? 32 : 64,
    };
  });

const byName = new Map(PROCESSORS.map((processor) => [processor.name, processor]));
const byMach = new Map(PROCESSORS.map((processor) => [processor.mach, processor]));

/** The processor of this name, or undefined. */
export function findProcessor(name: string): Processor | undefined {
  return byName.get(name);
}

/** The processor of an e_flags mach value, or undefined. */
export function findProcessorByMach(mach: number): Processor | undefined {
  return byMach.get(mach);
}

function generationOf(name: string, major: number): Generation {
  if (UNIFIED_FILE.has(name)) return 'gfx90a';
  if (name.startsWith('gfx125') || name === 'gfx12-5-generic') return 'gfx125';
  switch (major) {
    case 6:
      return 'gfx6';
    case 7:
      return 'gfx7';
    case 8:
      return 'gfx8';
    case 9:
      return 'gfx9';
    case 10:
      return 'gfx10';
    case 11:
      return 'gfx11';
    case 12:
      return 'gfx12';
    default:
      return 'gfx13';
  }
}
