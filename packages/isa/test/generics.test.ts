import { PROCESSORS } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import { createDecoder, hasTable } from '../src/index.js';
import { instructionTable } from '../src/table/processors.js';
import { fromHex } from './support/encodings.js';

const GENERICS = PROCESSORS.filter(({ name, isGeneric }) => isGeneric && hasTable(name)).map(({ name }) => name);

/** The members of a generic that its table describes. */
function membersOf(generic: string): string[] {
  const table = instructionTable(generic);
  return PROCESSORS.filter((one) => one.generic === generic && !one.isGeneric && table.processors.includes(one.name)).map(
    ({ name }) => name,
  );
}

describe('generic processors', () => {
  it('have the tables of their members', () => {
    expect(GENERICS).toEqual([
      'gfx9-generic',
      'gfx9-4-generic',
      'gfx10-1-generic',
      'gfx10-3-generic',
      'gfx11-generic',
      'gfx12-generic',
      'gfx12-5-generic',
    ]);
    for (const generic of GENERICS) expect(membersOf(generic)).not.toEqual([]);
  });

  it.each(GENERICS)('%s has only instructions that all its members have', (generic) => {
    const table = instructionTable(generic);
    const members = membersOf(generic);
    for (let entry = 0; entry < table.entryCount; entry++) {
      const having = table.cpuSet(entry) ?? table.processors;
      if (!having.includes(generic)) continue;
      expect(members.filter((member) => !having.includes(member))).toEqual([]);
    }
  });

  // llvm-mc 22 -mcpu=<generic> -disassemble rejects these, and accepts them for the member.
  it.each([
    ['gfx9-generic', 'gfx906', '0140a8d302050e1c', 'v_dot4_i32_i8'],
    ['gfx9-4-generic', 'gfx942', '02a9027e', 'v_cvt_f32_fp8'],
    ['gfx10-1-generic', 'gfx1011', '014013cc02050e1c', 'v_dot2_f32_f16'],
    ['gfx11-generic', 'gfx1150', '020301a0', 's_add_f32'],
  ])('%s leaves out what %s alone has', (generic, member, hex, name) => {
    const decode = (processor: string): string => {
      const decoded = createDecoder(processor).decode(fromHex(hex), 0);
      return decoded.ok ? decoded.instruction.name : '';
    };
    expect([decode(generic), decode(member)]).toEqual(['', name]);
  });

  it('gfx1250-strict has what gfx1250 has', () => {
    const table = instructionTable('gfx1250-strict');
    for (let entry = 0; entry < table.entryCount; entry++) {
      const having = table.cpuSet(entry) ?? table.processors;
      expect(having.includes('gfx1250-strict')).toBe(having.includes('gfx1250'));
    }
  });
});
