import { isHsaError } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import { assembleObject, type AssemblyProblem, parseElf } from '../../src/index.js';
import { errorOf } from '../support/fixtures.js';

/** The problems of a source, as `line:column: message`. */
function problemsOf(source: string, target = 'gfx1100'): string[] {
  const error = errorOf(() => assembleObject(source, { target }));
  if (!isHsaError(error, 'ERR_ASSEMBLY')) throw error;
  return (error.details['problems'] as AssemblyProblem[]).map(({ line, column, message }) => `${line}:${column}: ${message}`);
}

function manyTimes(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('\n');
}

describe('problems of a source', () => {
  it('are all listed, in order; the message shows the first and how many more', () => {
    const source = 's_endpgm\n  .foo 1\n.long\n\t.quad 1,,2\n.section .x,"q"';
    const error = errorOf(() => assembleObject(source, { target: 'gfx1100' }));
    expect(isHsaError(error, 'ERR_ASSEMBLY')).toBe(true);
    expect(error).toMatchObject({
      message: '2:3: unknown directive .foo (and 2 more)',
      details: { line: 2, column: 3, expected: [] },
    });
    expect(problemsOf(source)).toEqual(['2:3: unknown directive .foo', "4:10: unexpected ','", "5:14: 'q' is no section flag"]);
  });

  it('say what was expected', () => {
    const error = errorOf(() => assembleObject('.amdhsa_code_object_version 3', { target: 'gfx1100' }));
    expect(error).toMatchObject({
      message: '1:29: code object version 3 is not written; expected 4, 5 or 6',
      details: { expected: ['4', '5', '6'] },
    });
  });

  it.each([
    ['.byte 256', '1:1: 256 has no room in a byte'],
    ['.if 1', '1:1: an .if has no .endif'],
    ['.endif', '1:1: .endif without .if'],
    ['.else', '1:1: .else without .if'],
    ['.macro m\n.long 1', '1:1: .macro without .endm'],
    ['.macro m a:req\n.endm\n  m', '3:4: the macro m needs a value for a'],
    ['.macro m a\n.endm\nm 1, 2', '3:6: the macro m takes 1 argument'],
    ['.macro m\n.bogus\n.endm\n\n  m', '5:3: unknown directive .bogus (in macro m, line 1)'],
    ['.rept 3', '1:1: a loop without .endr'],
    ['.rept 2\n.bogus\n.endr', '1:1: unknown directive .bogus (in .rept, line 1)'],
    ['a:\na:', '2:1: a is defined already in line 1'],
    ['.equiv a, 1\n.equiv a, 2', '2:1: a is defined already in line 1'],
    ['.quad missing', '1:7: undefined symbol: missing'],
    ['.data\n.quad .Lmissing', '2:7: undefined symbol: .Lmissing'],
    ['.long 1b', '1:1: there is no label 1: before this line'],
    ['.data\nx: .long x', '2:10: the address of x is known only when the file is loaded, and has no room in 32 bits'],
    ['.section .rodata\nx: .quad x', '2:10: the address of x is known only when the file is loaded, and .rodata is read-only'],
    ['.set a, b\n.set b, a\n.long a', '1:1: a is defined by itself'],
    ['.popsection', '1:1: .popsection without .pushsection'],
    ['.p2align 40', '1:10: 2^40 is no alignment'],
    ['.balign 3', '1:9: 3 is no alignment'],
    ['.fill -1', '1:7: the count is -1'],
    ['.skip x', '1:7: the count must be a number that is known here'],
    ['.bss\n.long 1', '2:1: .bss has no content in the file; only zeros can stand in it'],
    ['.amdgcn_target "amdgcn-amd-amdhsa--gfx1030"', '1:16: the source is for gfx1030, and is assembled for gfx1100'],
    ['.section .x,"e",@progbits\nq:\n.data\n.quad q', '4:7: q stands in .x, which the linker leaves out'],
    ['.p2align 31', '1:1: an alignment of 2147483648 bytes; at most 268435456 are written'],
    ['.amdhsa_kernel k', '1:1: .amdhsa_kernel k has no .end_amdhsa_kernel'],
    ['.amdhsa_next_free_vgpr 1', '1:1: unknown directive .amdhsa_next_free_vgpr'],
    ['.amdgpu_metadata', '1:1: .amdgpu_metadata without .end_amdgpu_metadata'],
    ['.word 1', '1:1: .word has another size on every machine'],
  ])('%j', (source, problem) => {
    expect(problemsOf(source)[0]).toBe(problem);
  });

  it('of a kernel name the directive, the target and why', () => {
    const kernel = (...lines: string[]): string => ['k: s_endpgm', '.amdhsa_kernel k', ...lines, '.end_amdhsa_kernel'].join('\n');
    const registers = ['.amdhsa_next_free_vgpr 1', '.amdhsa_next_free_sgpr 1'];
    expect(problemsOf(kernel())).toEqual(['2:1: .amdhsa_next_free_vgpr is missing from the kernel k']);
    expect(problemsOf(kernel(...registers, '.amdhsa_accum_offset 4'))).toEqual([
      '5:1: gfx1100 does not take .amdhsa_accum_offset: only gfx90a, gfx940 and gfx950 have it',
    ]);
    expect(problemsOf(kernel(...registers), 'gfx90a')).toEqual(['2:1: .amdhsa_accum_offset is missing from the kernel k']);
    expect(problemsOf(kernel(...registers, '.amdhsa_bogus 1'))).toEqual(['5:1: there is no directive .amdhsa_bogus']);
    expect(problemsOf(kernel(...registers, '.amdhsa_next_free_sgpr 1'))).toEqual(['5:1: .amdhsa_next_free_sgpr is there twice']);
    expect(problemsOf(kernel('.amdhsa_next_free_vgpr 513', '.amdhsa_next_free_sgpr 1'))).toEqual([
      '2:1: .amdhsa_next_free_vgpr 513 is more than the descriptor can say',
    ]);
    expect(problemsOf(kernel(...registers, 's_endpgm'))).toEqual(['5:1: s_endpgm stands inside of .amdhsa_kernel k']);
    expect(problemsOf(kernel(...registers, '.amdhsa_user_sgpr_count LATER'))).toEqual(['2:1: LATER is not defined as a number']);
  });

  it('of metadata have the line within the block', () => {
    const metadata = (...lines: string[]): string => ['.amdgpu_metadata', ...lines, '...', '.end_amdgpu_metadata'].join('\n');
    expect(problemsOf(metadata('amdhsa.version: [1, 2', 'amdhsa.kernels: []'))).toEqual(["2:22: expected ',' or ']'"]);
    expect(problemsOf(metadata('amdhsa.version: [1, 2]', 'amdhsa.kernels:', '  - .name: k'))[0]).toMatch(
      /^1:1: amdhsa\.kernels\[0\]\.kernarg_segment_size is missing/,
    );
    expect(problemsOf(metadata('a: |', '  text'))).toEqual(["2:4: '|' begins a form of YAML that metadata does not use"]);
    expect(problemsOf(metadata('amdhsa.kernels: []'))).toEqual(['1:1: amdhsa.version is missing from the metadata']);
  });

  it('do not end in an endless loop', () => {
    expect(problemsOf('.macro m\nm\n.endm\nm')[0]).toContain('macros nest deeper than 64 levels');
    expect(problemsOf('.macro m a\n m \\a\\a\\a\\a\n.endm\nm xxxxxxxxxx')[0]).toContain('expands to a line of more than');
    expect(problemsOf('.rept 1000000\n.rept 1000\n.endr\n.endr')[0]).toContain('expands to more than');
    const doubled = manyTimes(60, (index) => `.set a${index + 1}, a${index} + a${index}`);
    expect(problemsOf(`${doubled}\n.long a60\n.set a0, 1`)[0]).toContain('too many symbols');
    expect(problemsOf('.rept 1000\n.rept 1000000\n.endr\n.rept 1000000\n.endr\n.bogus\n.endr')[0]).toContain('unknown directive');
    expect(problemsOf(`.ascii "${'a'.repeat(2 ** 20)}"`)[0]).toContain('line 1 has more than 1048576 characters');
    expect(problemsOf(`.macro m n\n.section s\\n,"a"\n.endm\n${manyTimes(10_001, (index) => `m ${index}`)}`)[0]).toContain(
      'more than 10000 sections',
    );
    expect(problemsOf('.skip 0xffffffff')[0]).toContain('the sections grow beyond');
    expect(problemsOf('.fill 0xffffffff, 8, 1')[0]).toContain('the sections grow beyond');
  });

  it('are none where a line is long, or its symbol stands in a section that is left out', () => {
    const long = assembleObject(`.data\n.ascii "${'a'.repeat(2 ** 20 - 40)}"${' /* */'.repeat(2)} // end`, { target: 'gfx1100' });
    expect(long.length).toBeGreaterThan(2 ** 20 - 40);
    // As LLD has it the symbol is not defined in the result.
    const dropped = assembleObject('.globl q\n.section .x,"e",@progbits\nq: .long 1', { target: 'gfx1100' });
    expect(parseElf(dropped).dynsym.map(({ name }) => name)).not.toContain('q');
  });
});
