// Writes random C programs whose functions mean the same on every target: wrapping integers, no contraction, no undefined
// behaviour, no library calls; NaNs are made canonical wherever their bits could be seen.
import { Random, WORDS_IN, WORDS_OUT } from './random.mjs';

const INTS = ['u8', 'i8', 'u16', 'i16', 'u32', 'i32', 'u64', 'i64'];
const FLOATS = ['f32', 'f64'];
const BITS = { u8: 8, i8: 8, u16: 16, i16: 16, u32: 32, i32: 32, u64: 64, i64: 64 };

const PRELUDE = `/* made by tools/cgen: %NAME% */
typedef unsigned char u8; typedef signed char i8; typedef unsigned short u16; typedef short i16;
typedef unsigned int u32; typedef int i32; typedef unsigned long long u64; typedef long long i64;
typedef float f32; typedef double f64;
#ifdef __AMDGCN__
#define GLOBAL __attribute__((address_space(1)))
#else
#define GLOBAL
#endif
static inline f32 f32_of(u32 b) { union { u32 b; f32 f; } u; u.b = b; return u.f != u.f ? 0.5f : u.f; }
static inline f64 f64_of(u64 b) { union { u64 b; f64 f; } u; u.b = b; return u.f != u.f ? 0.5 : u.f; }
static inline u32 bits_f32(f32 f) { union { u32 b; f32 f; } u; u.f = f; return f != f ? 0x7fc00000u : u.b; }
static inline u64 bits_f64(f64 f) { union { u64 b; f64 f; } u; u.f = f; return f != f ? 0x7ff8000000000000ull : u.b; }
static inline i32 i32_of_f32(f32 f) { return f > -2147483000.0f && f < 2147483000.0f ? (i32)f : 7; }
static inline i32 i32_of_f64(f64 f) { return f > -2147483647.0 && f < 2147483647.0 ? (i32)f : 9; }
static inline u32 u32_of_f32(f32 f) { return f >= 0.0f && f < 4294967000.0f ? (u32)f : 11u; }
static inline i64 i64_of_f64(f64 f) { return f > -9.0e18 && f < 9.0e18 ? (i64)f : 13; }
`;

/** One function: `u64 fnN(const GLOBAL u32 *in, GLOBAL u32 *out)`; it reads its case's words and may write extra results. */
class FunctionWriter {
  #random;
  #lines = [];
  #depth = 1;
  #variables = [];
  #counter = 0;
  #loops = 0;
  #size;

  /** `size`: `small` functions have some 350 instructions, `large` ones some 900. */
  constructor(random, size) {
    this.#random = random;
    this.#size = size;
  }

  write(name) {
    this.#declareInputs();
    const statements = this.#size === 'small' ? 2 + this.#random.below(3) : 4 + this.#random.below(8);
    for (let i = 0; i < statements; i++) this.#statement();
    this.#emit(`out[2] = (u32)(${this.#int('u32', 2)});`);
    this.#emit(`out[3] = ${this.#bits32(this.#random.pick(this.#variables))};`);
    this.#emit(`return ${this.#fold()};`);
    return `static u64 ${name}(const GLOBAL u32 *in, GLOBAL u32 *out) {\n${this.#lines.join('\n')}\n}\n`;
  }

  #emit(line) {
    this.#lines.push('  '.repeat(this.#depth) + line);
  }

  #declareInputs() {
    let word = 0;
    for (const type of [...INTS, ...FLOATS, 'u32', 'i32', 'f32']) {
      const low = `in[${word++}]`;
      const wide = type === 'u64' || type === 'i64' || type === 'f64';
      const source = wide ? `(${low} | (u64)in[${word++}] << 32)` : low;
      const value = type === 'f32' ? `f32_of(${source})` : type === 'f64' ? `f64_of(${source})` : `(${type})${source}`;
      this.#declare(type, value);
    }
  }

  #declare(type, value) {
    const name = `${type}_${this.#counter++}`;
    this.#emit(`${type} ${name} = ${value};`);
    this.#variables.push({ name, type });
    return name;
  }

  #variable(type) {
    const candidates = this.#variables.filter((v) => v.type === type);
    return candidates.length > 0 ? this.#random.pick(candidates).name : undefined;
  }

  #statement() {
    const random = this.#random;
    const kind = random.below(this.#depth > 3 ? 5 : 10);
    if (kind < 2) this.#declare(...this.#typed());
    else if (kind < 5) this.#assign();
    else if (kind < 7) this.#conditional();
    else if (kind < 9) this.#loop();
    else this.#choice();
  }

  #typed() {
    const type = this.#random.chance(60) ? this.#random.pick(INTS) : this.#random.pick(FLOATS);
    return [type, this.#expression(type, this.#size === 'small' ? 2 : 3)];
  }

  #assign() {
    const { name, type } = this.#random.pick(this.#variables);
    this.#emit(`${name} = ${this.#expression(type, this.#size === 'small' ? 2 : 3)};`);
  }

  #block(body) {
    const outer = this.#variables.length;
    this.#depth++;
    for (let i = 0; i < body; i++) this.#statement();
    this.#depth--;
    this.#variables.length = outer;
  }

  #conditional() {
    this.#emit(`if (${this.#condition(2)}) {`);
    this.#block(1 + this.#random.below(3));
    if (this.#random.chance(50)) {
      this.#emit('} else {');
      this.#block(1 + this.#random.below(2));
    }
    this.#emit('}');
  }

  #loop() {
    if (this.#loops >= 3) return this.#assign();
    this.#loops++;
    const random = this.#random;
    const i = `n${this.#counter++}`;
    const limit = random.chance(50) ? `${1 + random.below(12)}u` : `(${this.#int('u32', 1)} & 15u)`;
    this.#emit(`for (u32 ${i} = 0, end_${i} = ${limit}; ${i} < end_${i}; ${i}++) {`);
    this.#depth++;
    const outer = this.#variables.length;
    this.#declare('u32', `in[(${i} + ${this.#int('u32', 1)}) % ${WORDS_IN}u] ^ ${i}`);
    if (random.chance(30)) this.#emit(`if (${this.#condition(1)}) ${random.pick(['break', 'continue'])};`);
    this.#depth--;
    this.#block(1 + random.below(3));
    this.#variables.length = outer;
    this.#emit('}');
    this.#loops--;
  }

  #choice() {
    const cases = 2 + this.#random.below(4);
    this.#emit(`switch (${this.#int('u32', 1)} % ${cases + 1}u) {`);
    for (let i = 0; i < cases; i++) {
      this.#emit(`case ${i}: {`);
      this.#block(1);
      this.#emit(this.#random.chance(80) ? 'break; }' : '} /* falls through */');
    }
    this.#emit('default: {');
    this.#block(1);
    this.#emit('} }');
  }

  #expression(type, depth) {
    return type === 'f32' || type === 'f64' ? this.#float(type, depth) : this.#int(type, depth);
  }

  #int(type, depth) {
    const random = this.#random;
    if (depth <= 0 || random.chance(15)) return this.#leaf(type);
    const a = () => this.#int(random.chance(75) ? type : random.pick(INTS), depth - 1);
    const wide = BITS[type] === 64 ? type : type.startsWith('u') ? 'u32' : 'i32';
    const cast = (text) => `(${type})(${text})`;
    switch (random.below(14)) {
      case 0:
        return cast(`(${wide})${a()} + (${wide})${a()}`);
      case 1:
        return cast(`(${wide})${a()} - (${wide})${a()}`);
      case 2:
        return cast(`(${wide})${a()} * (${wide})${a()}`);
      case 3:
        return cast(`${a()} & ${a()}`);
      case 4:
        return cast(`${a()} | ${a()}`);
      case 5:
        return cast(`${a()} ^ ${a()}`);
      case 6:
        return cast(`(${wide})${a()} << (${this.#int('u32', depth - 2)} & ${BITS[wide] - 1}u)`);
      case 7:
        return cast(`(${wide})${a()} >> (${this.#int('u32', depth - 2)} & ${BITS[wide] - 1}u)`);
      case 8:
        return this.#division(type, wide, depth, random.pick(['/', '%']));
      case 9:
        return `(${this.#condition(depth - 1)} ? ${cast(a())} : ${cast(a())})`;
      case 10:
        return cast(random.pick([`~${a()}`, `-(${wide})${a()}`, `!${a()}`]));
      case 11:
        return cast(this.#counting(depth));
      case 12:
        return cast(this.#fromFloat(depth));
      default:
        return cast(`in[${this.#int('u32', depth - 2)} % ${WORDS_IN}u]`);
    }
  }

  #division(type, wide, depth, operator) {
    const a = `(${wide})${this.#int(type, depth - 1)}`;
    const b = `(${wide})${this.#int(type, depth - 1)}`;
    if (wide.startsWith('u')) return `(${type})(${a} ${operator} (${b} | 1))`;
    return `(${type})(${a} ${operator} (((${b}) & 0x7fff) + 1))`;
  }

  #counting(depth) {
    const x = this.#int('u32', depth - 1);
    return this.#random.pick([
      `__builtin_popcount(${x})`,
      `__builtin_clz(${x} | 1u)`,
      `__builtin_ctz(${x} | 0x80000000u)`,
      `__builtin_bswap32(${x})`,
    ]);
  }

  #fromFloat(depth) {
    const f = (t) => this.#float(t, depth - 1);
    switch (this.#random.below(6)) {
      case 0:
        return `i32_of_f32(${f('f32')})`;
      case 1:
        return `u32_of_f32(${f('f32')})`;
      case 2:
        return `i32_of_f64(${f('f64')})`;
      case 3:
        return `i64_of_f64(${f('f64')})`;
      case 4:
        return `bits_f32(${f('f32')})`;
      default:
        return `bits_f64(${f('f64')})`;
    }
  }

  #float(type, depth) {
    const random = this.#random;
    if (depth <= 0 || random.chance(15)) return this.#leaf(type);
    const a = () => this.#float(type, depth - 1);
    const suffix = type === 'f32' ? 'f' : '';
    switch (random.below(12)) {
      case 0:
      case 1:
        return `(${a()} + ${a()})`;
      case 2:
        return `(${a()} - ${a()})`;
      case 3:
      case 4:
        return `(${a()} * ${a()})`;
      case 5:
        return `(${a()} / ${a()})`;
      case 6:
        return `(${this.#condition(depth - 1)} ? ${a()} : ${a()})`;
      case 7:
        return `(-${a()})`;
      case 8:
        return `__builtin_fabs${suffix}(${a()})`;
      case 9:
        return `(${type})${this.#int(random.pick(INTS), depth - 1)}`;
      case 10:
        return `(${type})${this.#float(type === 'f32' ? 'f64' : 'f32', depth - 1)}`;
      default:
        return random.pick([
          `__builtin_floor${suffix}(${a()})`,
          `__builtin_trunc${suffix}(${a()})`,
          `__builtin_ceil${suffix}(${a()})`,
          `__builtin_sqrt${suffix}(__builtin_fabs${suffix}(${a()}))`,
        ]);
    }
  }

  #condition(depth) {
    const random = this.#random;
    const compare = random.pick(['<', '<=', '>', '>=', '==', '!=']);
    if (depth > 0 && random.chance(25))
      return `(${this.#condition(depth - 1)} ${random.pick(['&&', '||'])} ${this.#condition(depth - 1)})`;
    const type = random.chance(60) ? random.pick(INTS) : random.pick(FLOATS);
    return `(${this.#expression(type, depth)} ${compare} ${this.#expression(type, depth)})`;
  }

  #leaf(type) {
    const random = this.#random;
    const variable = random.chance(75) ? this.#variable(type) : undefined;
    if (variable) return variable;
    if (type === 'f32') return `${random.pick(['0.5', '1.0', '3.25', '1e-3', '1000.0', '0.1', '1e20', '1e-38'])}f`;
    if (type === 'f64') return random.pick(['0.5', '1.0', '3.25', '1e-3', '1000.0', '0.1', '1e200', '1e-308']);
    return `(${type})${random.pick([0, 1, 2, 3, 5, 8, 13, 31, 100, 255, 1000, 65535, 123456789])}u`;
  }

  #bits32({ name, type }) {
    if (type === 'f32') return `bits_f32(${name})`;
    if (type === 'f64') return `(u32)bits_f64(${name})`;
    return `(u32)${name}`;
  }

  /** All live variables mixed into one word, so that every computation can be seen. */
  #fold() {
    return this.#variables
      .map(({ name, type }, i) => {
        const bits = type === 'f32' ? `bits_f32(${name})` : type === 'f64' ? `bits_f64(${name})` : name;
        return `(u64)${bits} * ${2 * i + 3}ull`;
      })
      .join(' + ');
  }
}

/**
 * A C file with `count` functions and, for each, a kernel `kN(in, out, n)` (on the host: the same as a plain function that loops over
 * the cases). Case i reads `in[i * WORDS_IN …]` and writes `out[i * WORDS_OUT …]`.
 */
export function writeProgram(seed, count, size = 'large') {
  const random = new Random(seed);
  const parts = [PRELUDE.replace('%NAME%', `seed ${seed}, ${count} functions`)];
  for (let i = 0; i < count; i++) {
    parts.push(new FunctionWriter(random, size).write(`fn${i}`));
    parts.push(`#ifdef __AMDGCN__
__attribute__((amdgpu_kernel)) void k${i}(const GLOBAL u32 *in, GLOBAL u32 *out, u32 n) {
  u32 i = __builtin_amdgcn_workgroup_id_x() * 64u + __builtin_amdgcn_workitem_id_x();
  if (i >= n) return;
#else
void k${i}(const u32 *in, u32 *out, u32 n) { for (u32 i = 0; i < n; i++) {
#endif
  u64 r = fn${i}(in + i * ${WORDS_IN}u, out + i * ${WORDS_OUT}u);
  out[i * ${WORDS_OUT}u] = (u32)r; out[i * ${WORDS_OUT}u + 1] = (u32)(r >> 32);
#ifdef __AMDGCN__
}
#else
} }
#endif
`);
  }
  parts.push(`#ifndef __AMDGCN__
#include <stdio.h>
#include <stdlib.h>
static void (*const all[])(const u32 *, u32 *, u32) = {${Array.from({ length: count }, (_, i) => `k${i}`).join(', ')}};
int main(int argc, char **argv) {
  u32 n = (u32)atoi(argv[argc - 1]);
  u32 *in = malloc(n * ${WORDS_IN}u * 4u), *out = calloc(n, ${WORDS_OUT}u * 4u);
  if (fread(in, 4, n * ${WORDS_IN}u, stdin) != n * ${WORDS_IN}u) return 1;
  for (u32 k = 0; k < ${count}u; k++) { all[k](in, out, n); fwrite(out, 4, n * ${WORDS_OUT}u, stdout); }
  return 0;
}
#endif
`);
  return parts.join('\n');
}
