import { isHsaError } from '@doorbell/abi';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assembleObject, parseCodeObject } from '../../src/index.js';
import { ASSEMBLY_SOURCES, assemblySource } from '../support/assembly.js';

/** Factor for the numbers of runs: `DOORBELL_FUZZ=20 npx vitest run test/assemble/fuzz.test.ts`. */
const THOROUGH = Number(process.env['DOORBELL_FUZZ'] ?? 1);

/** Whatever the text, nothing but an HsaError may leave; what is taken can be parsed. */
function assembleAny(source: string, target = 'gfx1100'): 'taken' | 'refused' {
  let bytes: Uint8Array;
  try {
    bytes = assembleObject(source, { target });
  } catch (error) {
    if (isHsaError(error, 'ERR_ASSEMBLY')) return 'refused';
    throw error;
  }
  try {
    parseCodeObject(bytes);
  } catch (error) {
    // A source may describe a kernel that no loader takes (a descriptor outside of .rodata, say).
    if (!isHsaError(error)) throw error;
  }
  return 'taken';
}

const WORDS = `
.text .data .bss .section .rodata .note.GNU-stack "aw" "ax" @progbits @nobits , : = + - * / ( ) < << == ! ~ . .. 1b 1f 1: a: a b
.L .La: .set .equ .globl .weak .hidden .protected .type .size @function .p2align .balign .fill .skip .zero .byte .short .long .quad
.ascii .asciz "x\\\\n" "unterminated .if .elseif .else .endif .ifdef .macro .endm m \\a \\@ \\() .rept .endr .irp .irpc .exitm .org
.amdhsa_kernel .end_amdhsa_kernel .amdhsa_next_free_vgpr .amdhsa_next_free_sgpr .amdhsa_kernarg_size .amdhsa_wavefront_size32
.amdgpu_metadata .end_amdgpu_metadata amdhsa.version: amdhsa.kernels: [1,2] - { } ' # // /* */ ; .pushsection .popsection .previous
s_endpgm s_nop s_branch s_mov_b32 v_add_f32 s0 v0 s[0:1] a@rel32@lo+4 a@gotpcrel32@hi 0 1 -1 0x10 0xffffffffffffffff 1.5 .ident .end
.amdgcn.next_free_vgpr .amdgcn_target "gfx1100" .float .double .init_array . \u00e9 \0
`
  .trim()
  .split(/\s+/);

describe('hostile sources raise nothing but ERR_ASSEMBLY', () => {
  it('lines of words that directives know', () => {
    const line = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }).map((words) => words.join(' '));
    const source = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));
    let taken = 0;
    fc.assert(
      fc.property(source, (text) => {
        if (assembleAny(text) === 'taken') taken++;
      }),
      { numRuns: 600 * THOROUGH, seed: 21 },
    );
    expect(taken).toBeGreaterThan(0);
  });

  it('any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        assembleAny(text);
      }),
      { numRuns: 200 * THOROUGH, seed: 22 },
    );
  });

  it('kernels with pieces cut out, doubled or exchanged', () => {
    const sources = ASSEMBLY_SOURCES.map(({ file, target }) => ({ lines: assemblySource(file).split('\n'), target }));
    const edit = fc.record({
      line: fc.nat(),
      from: fc.nat(60),
      to: fc.nat(60),
      insert: fc.oneof(fc.constantFrom('', ...WORDS), fc.string({ maxLength: 3 })),
    });
    fc.assert(
      fc.property(fc.constantFrom(...sources), fc.array(edit, { minLength: 1, maxLength: 4 }), ({ lines, target }, edits) => {
        const changed = [...lines];
        for (const { line, from, to, insert } of edits) {
          const at = line % changed.length;
          const text = changed[at] ?? '';
          changed[at] = text.slice(0, from) + insert + text.slice(to);
        }
        assembleAny(changed.join('\n'), target);
      }),
      { numRuns: 150 * THOROUGH, seed: 23 },
    );
  });
});
