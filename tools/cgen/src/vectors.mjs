// Statements on vectors of two or four elements: what becomes packed and wide instructions.

const TYPES = [
  { name: 'i16x2', element: 'i16', count: 2 },
  { name: 'u16x2', element: 'u16', count: 2 },
  { name: 'u16x4', element: 'u16', count: 4 },
  { name: 'u8x4', element: 'u8', count: 4 },
  { name: 'u32x4', element: 'u32', count: 4 },
  { name: 'i32x2', element: 'i32', count: 2 },
  { name: 'f32x2', element: 'f32', count: 2 },
  { name: 'f32x4', element: 'f32', count: 4 },
  { name: 'f64x2', element: 'f64', count: 2 },
];
const BYTES = { i16: 2, u16: 2, u8: 1, u32: 4, i32: 4, f32: 4, f64: 8 };

/** Their declarations, for the prelude. */
export const VECTORS = TYPES.map(
  ({ name, element, count }) => `typedef ${element} ${name} __attribute__((vector_size(${BYTES[element] * count})));\n`,
).join('');

/** Two vectors of scalars, some operations on them, and an element of the result. */
export function vectorStatement(writer) {
  const { random } = writer;
  const { name, element, count } = random.pick(TYPES);
  const n = writer.counter++;
  const [a, b] = [`va_${n}`, `vb_${n}`];
  const scalars = () => Array.from({ length: count }, () => `(${element})${writer.expression(element, 1)}`).join(', ');
  writer.emit(`${name} ${a} = {${scalars()}}, ${b} = {${scalars()}};`);
  const bits = BYTES[element] * 8;
  const operations = element.startsWith('f')
    ? [`${a} + ${b}`, `${a} - ${b}`, `${a} * ${b}`]
    : [
        `${a} + ${b}`,
        `${a} - ${b}`,
        `${a} * ${b}`,
        `${a} & ${b}`,
        `${a} ^ ${b}`,
        `${a} << (${b} & ${bits - 1})`,
        `${a} >> (${b} & ${bits - 1})`,
        `${b} | ~${a}`,
      ];
  for (let round = 1 + random.below(3); round > 0; round--) writer.emit(`${random.pick([a, b])} = ${random.pick(operations)};`);
  writer.declare(element, `${a}[${random.below(count)}]`);
  writer.declare(element, `${b}[${random.below(count)}]`);
}
