// Statements that need memory of their own: structures by value, arrays indexed by variables, recursion with a frame.

const FIELDS = [
  { text: (k) => `a[${k} % 5u]`, type: 'u32' },
  { text: () => 'b', type: 'u64' },
  { text: (k) => `c[${k} % 3u]`, type: 'i16' },
  { text: (k) => `d[${k} % 7u]`, type: 'u8' },
  { text: () => 'e', type: 'f32' },
  { text: () => 'f', type: 'i64' },
  { text: () => 'g', type: 'f64' },
];

/** The structure that all programs use, for the prelude. */
export const RECORD = 'struct record { u32 a[5]; u64 b; i16 c[3]; u8 d[7]; f32 e; i64 f; f64 g; };\n';

const field = (writer, index) => {
  const { text, type } = writer.random.pick(FIELDS);
  return { text: text(index), type };
};

/** Fills a structure, hands it by value to a function that changes it, copies it under a condition and reads it back. */
export function recordStatement(writer) {
  const { random } = writer;
  const n = writer.counter++;
  const helper = `mix_${writer.name}_${n}`;
  const changes = Array.from({ length: 3 }, () => {
    const to = field(writer, `(k + ${random.below(9)}u)`);
    const from = field(writer, `(k >> ${1 + random.below(4)})`);
    if (to.type.startsWith('f')) return `s.${to.text} = (${to.type})(i32)k;`;
    const value = from.type.startsWith('f') ? `bits_${from.type}(s.${from.text})` : `s.${from.text}`;
    return `s.${to.text} = (${to.type})(s.${to.text} * 3 + (${to.type})${value});`;
  });
  writer.helpers.push(`static NOINLINE struct record ${helper}(struct record s, u32 k) { ${changes.join(' ')} return s; }\n`);
  writer.emit(
    `struct record r${n} = {{${Array.from({ length: 5 }, () => writer.int('u32', 1)).join(', ')}}, ${writer.int('u64', 1)}};`,
  );
  writer.emit(
    `for (u32 i = 0; i < 7u; i++) { r${n}.c[i % 3u] = (i16)(i * ${writer.int('u32', 1)}); r${n}.d[i] = (u8)(r${n}.b >> i); }`,
  );
  writer.emit(`r${n}.e = ${writer.float('f32', 1)}; r${n}.f = ${writer.int('i64', 1)}; r${n}.g = ${writer.float('f64', 1)};`);
  writer.emit(
    `{ struct record t = ${helper}(r${n}, ${writer.int('u32', 1)}); if (${writer.condition(1)}) r${n} = t; else r${n}.a[1] ^= t.a[2]; }`,
  );
  const { text, type } = field(writer, writer.int('u32', 1));
  writer.declare(type, `r${n}.${text}`);
  writer.declare('u32', `r${n}.a[${writer.int('u32', 1)} % 5u] + (u32)r${n}.d[${writer.int('u32', 1)} % 7u]`);
}

/** A function that calls itself up to eight deep, with an array in each frame. */
export function recursionStatement(writer) {
  const { random } = writer;
  const helper = `rec_${writer.name}_${writer.counter++}`;
  const [shift, factor, cut] = [1 + random.below(7), 3 + 2 * random.below(50), random.below(5)];
  writer.helpers.push(
    `static NOINLINE u32 ${helper}(u32 depth, u32 x) { u32 t[4]; for (u32 i = 0; i < 4u; i++) t[i] = x * ${factor}u + i; ` +
      `if (depth == 0u || x % 5u == ${cut}u) return x ^ t[x & 3u]; t[depth & 3u] += ${helper}(depth - 1u, t[(x >> ${shift}) & 3u]); ` +
      `return t[x & 3u] + t[depth & 3u] + depth; }\n`,
  );
  writer.declare('u32', `${helper}(${writer.int('u32', 1)} & 7u, ${writer.int('u32', 1)})`);
}
