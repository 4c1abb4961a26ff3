import { createAssembler, createDecoder, disassemble, formatInstruction } from '@doorbell/isa';

// v_add_f32_e32 v1, v2, v3; s_endpgm
const code = Uint8Array.of(0x02, 0x07, 0x02, 0x06, 0x00, 0x00, 0xb0, 0xbf);

for (const { address, text } of disassemble(code, { processor: 'gfx1100', baseAddress: 0x1000n })) {
  console.log(address.toString(16), text);
}

const decoded = createDecoder('gfx1100').decode(code, 0);
if (decoded.ok) {
  const { name, operands } = decoded.instruction;
  console.log(
    name,
    operands.map((operand) => `${operand.name}=${operand.kind}${operand.index}`),
  );
  console.log(formatInstruction(decoded.instruction));
}

const assembled = createAssembler('gfx1100').assemble('v_add_f32 v1, v2, v3');
if (assembled.ok) console.log(assembled.words.map((word) => word.toString(16)));
