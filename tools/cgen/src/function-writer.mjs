// Writes one random C function that means the same on every target: wrapping integers, no contraction, no undefined behaviour, no
// library calls; NaNs are made canonical wherever their bits could be seen.
import { WORDS_IN } from './random.mjs';
import { recordStatement, recursionStatement } from './records.mjs';
import { vectorStatement } from './vectors.mjs';

export const INTS = ['u8', 'i8', 'u16', 'i16', 'u32', 'i32', 'u64', 'i64'];
export const FLOATS = ['f16', 'f32', 'f64'];
const BITS = { u8: 8, i8: 8, u16: 16, i16: 16, u32: 32, i32: 32, u64: 64, i64: 64 };

const isFloat = (type) => FLOATS.includes(type);

/** Statements of a function: at least, and how many more at random. */
const STATEMENTS = { tiny: [1, 2], small: [2, 3], large: [4, 8] };

/** A variable's bits as an integer expression. */
export function bitsOf({ name, type }) {
  return isFloat(type) ? `bits_${type}(${name})` : name;
}

/** One function: `u64 fnN(const GLOBAL u32 *in, GLOBAL u32 *out)`; it reads its case's words and may write extra results. */
export class FunctionWriter {
  random;
  lines = [];
  depth = 1;
  variables = [];
  counter = 0;
  /** Functions that this one calls, as C. */
  helpers = [];
  name = '';
  loops = 0;
  size;

  /** `size`: at -O1 `tiny` functions have some 150 instructions, `small` ones some 350, `large` ones some 900. */
  constructor(random, size) {
    this.random = random;
    this.size = size;
  }

  write(name) {
    this.name = name;
    this.#declareInputs();
    const [least, more] = STATEMENTS[this.size];
    const statements = least + this.random.below(more);
    for (let i = 0; i < statements; i++) this.#statement();
    this.emit(`out[2] = (u32)(${this.int('u32', 2)});`);
    this.emit(`out[3] = ${this.#bits32(this.random.pick(this.variables))};`);
    this.emit(`return ${this.#fold()};`);
    return `${this.helpers.join('')}static u64 ${name}(const GLOBAL u32 *in, GLOBAL u32 *out) {\n${this.lines.join('\n')}\n}\n`;
  }

  emit(line) {
    this.lines.push('  '.repeat(this.depth) + line);
  }

  #declareInputs() {
    let word = 0;
    for (const type of [...INTS, ...FLOATS, 'u32', 'i32', 'f32']) {
      const low = `in[${word++}]`;
      const wide = type === 'u64' || type === 'i64' || type === 'f64';
      const source = wide ? `(${low} | (u64)in[${word++}] << 32)` : low;
      const value = isFloat(type) ? `${type}_of(${source})` : `(${type})${source}`;
      this.declare(type, value);
    }
  }

  declare(type, value) {
    const name = `${type}_${this.counter++}`;
    this.emit(`${type} ${name} = ${value};`);
    this.variables.push({ name, type });
    return name;
  }

  variable(type) {
    const candidates = this.variables.filter((v) => v.type === type);
    return candidates.length > 0 ? this.random.pick(candidates).name : undefined;
  }

  #statement() {
    const random = this.random;
    const kind = random.below(this.depth > 3 ? 6 : 12);
    if (kind === 5) vectorStatement(this);
    else if (kind === 10) recordStatement(this);
    else if (kind === 11) recursionStatement(this);
    else if (kind < 2) this.declare(...this.#typed());
    else if (kind < 5) this.#assign();
    else if (kind < 7) this.#conditional();
    else if (kind < 9) this.#loop();
    else this.#choice();
  }

  #typed() {
    const type = this.random.chance(60) ? this.random.pick(INTS) : this.random.pick(FLOATS);
    return [type, this.expression(type, this.size === 'large' ? 3 : 2)];
  }

  #assign() {
    const { name, type } = this.random.pick(this.variables);
    this.emit(`${name} = ${this.expression(type, this.size === 'large' ? 3 : 2)};`);
  }

  #block(body) {
    const outer = this.variables.length;
    this.depth++;
    for (let i = 0; i < body; i++) this.#statement();
    this.depth--;
    this.variables.length = outer;
  }

  #conditional() {
    this.emit(`if (${this.condition(2)}) {`);
    this.#block(1 + this.random.below(3));
    if (this.random.chance(50)) {
      this.emit('} else {');
      this.#block(1 + this.random.below(2));
    }
    this.emit('}');
  }

  #loop() {
    if (this.loops >= 3) return this.#assign();
    this.loops++;
    const random = this.random;
    const i = `n${this.counter++}`;
    const limit = random.chance(50) ? `${1 + random.below(12)}u` : `(${this.int('u32', 1)} & 15u)`;
    this.emit(`for (u32 ${i} = 0, end_${i} = ${limit}; ${i} < end_${i}; ${i}++) {`);
    this.depth++;
    const outer = this.variables.length;
    this.declare('u32', `in[(${i} + ${this.int('u32', 1)}) % ${WORDS_IN}u] ^ ${i}`);
    if (random.chance(30)) this.emit(`if (${this.condition(1)}) ${random.pick(['break', 'continue'])};`);
    this.depth--;
    this.#block(1 + random.below(3));
    this.variables.length = outer;
    this.emit('}');
    this.loops--;
  }

  #choice() {
    const cases = 2 + this.random.below(4);
    this.emit(`switch (${this.int('u32', 1)} % ${cases + 1}u) {`);
    for (let i = 0; i < cases; i++) {
      this.emit(`case ${i}: {`);
      this.#block(1);
      this.emit(this.random.chance(80) ? 'break; }' : '} /* falls through */');
    }
    this.emit('default: {');
    this.#block(1);
    this.emit('} }');
  }

  expression(type, depth) {
    return isFloat(type) ? this.float(type, depth) : this.int(type, depth);
  }

  int(type, depth) {
    const random = this.random;
    if (depth <= 0 || random.chance(15)) return this.#leaf(type);
    const a = () => this.int(random.chance(75) ? type : random.pick(INTS), depth - 1);
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
        return cast(`(${wide})${a()} << (${this.int('u32', depth - 2)} & ${BITS[wide] - 1}u)`);
      case 7:
        return cast(`(${wide})${a()} >> (${this.int('u32', depth - 2)} & ${BITS[wide] - 1}u)`);
      case 8:
        return this.#division(type, wide, depth, random.pick(['/', '%']));
      case 9:
        return `(${this.condition(depth - 1)} ? ${cast(a())} : ${cast(a())})`;
      case 10:
        return cast(random.pick([`~${a()}`, `-(${wide})${a()}`, `!${a()}`]));
      case 11:
        return cast(this.#counting(depth));
      case 12:
        return cast(this.#fromFloat(depth));
      default:
        return cast(`in[${this.int('u32', depth - 2)} % ${WORDS_IN}u]`);
    }
  }

  #division(type, wide, depth, operator) {
    const a = `(${wide})${this.int(type, depth - 1)}`;
    const b = `(${wide})${this.int(type, depth - 1)}`;
    if (wide.startsWith('u')) return `(${type})(${a} ${operator} (${b} | 1))`;
    return `(${type})(${a} ${operator} (((${b}) & 0x7fff) + 1))`;
  }

  #counting(depth) {
    const x = this.int('u32', depth - 1);
    return this.random.pick([
      `__builtin_popcount(${x})`,
      `__builtin_clz(${x} | 1u)`,
      `__builtin_ctz(${x} | 0x80000000u)`,
      `__builtin_bswap32(${x})`,
    ]);
  }

  #fromFloat(depth) {
    const f = (t) => this.float(t, depth - 1);
    switch (this.random.below(8)) {
      case 6:
        return `i32_of_f32((f32)${f('f16')})`;
      case 7:
        return `bits_f16(${f('f16')})`;
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

  float(type, depth) {
    const { random } = this;
    if (depth <= 0 || random.chance(15)) return this.#leaf(type);
    const a = () => this.float(type, depth - 1);
    // Arithmetic of halves is done and rounded one operation at a time.
    const round = (text) => (type === 'f16' ? `(f16)(${text})` : `(${text})`);
    switch (random.below(12)) {
      case 0:
      case 1:
        return round(`${a()} + ${a()}`);
      case 2:
        return round(`${a()} - ${a()}`);
      case 3:
      case 4:
        return round(`${a()} * ${a()}`);
      case 5:
        return type === 'f16' ? round(`${a()} * ${a()}`) : `(${a()} / ${a()})`;
      case 6:
        return `(${this.condition(depth - 1)} ? ${a()} : ${a()})`;
      case 7:
        return round(`-${a()}`);
      case 8:
        return this.#ofOneFloat(type, '__builtin_fabs', a());
      case 9: {
        const value = this.int(random.pick(INTS), depth - 1);
        return type === 'f16' ? `(f16)(f32)${value}` : `(${type})${value}`;
      }
      case 10:
        return this.#otherFloat(type, depth);
      default:
        return this.#ofOneFloat(
          type,
          random.pick(['__builtin_floor', '__builtin_trunc', '__builtin_ceil', '__builtin_sqrt']),
          a(),
        );
    }
  }

  /** A function of one float; that of a half is taken in f32, which gives the same after rounding. */
  #ofOneFloat(type, name, argument) {
    const of = (text) => (name === '__builtin_sqrt' ? `__builtin_fabs${type === 'f64' ? '' : 'f'}(${text})` : text);
    if (type === 'f64') return `${name}(${of(argument)})`;
    return type === 'f32' ? `${name}f(${of(argument)})` : `(f16)${name}f(${of(`(f32)${argument}`)})`;
  }

  /** From another type of float; f64 to f16 would be rounded twice by some compilers. */
  #otherFloat(type, depth) {
    if (type === 'f64') return `(f64)${this.float('f32', depth - 1)}`;
    const from = type === 'f16' ? 'f32' : this.random.pick(['f16', 'f64']);
    return `(${type})${this.float(from, depth - 1)}`;
  }

  condition(depth) {
    const random = this.random;
    const compare = random.pick(['<', '<=', '>', '>=', '==', '!=']);
    if (depth > 0 && random.chance(25))
      return `(${this.condition(depth - 1)} ${random.pick(['&&', '||'])} ${this.condition(depth - 1)})`;
    const type = random.chance(60) ? random.pick(INTS) : random.pick(FLOATS);
    return `(${this.expression(type, depth)} ${compare} ${this.expression(type, depth)})`;
  }

  #leaf(type) {
    const random = this.random;
    const variable = random.chance(75) ? this.variable(type) : undefined;
    if (variable) return variable;
    if (type === 'f16') return `(f16)${random.pick(['0.5', '1.0', '3.25', '1e-3', '1000.0', '0.1', '6e4', '1e-6'])}f`;
    if (type === 'f32') return `${random.pick(['0.5', '1.0', '3.25', '1e-3', '1000.0', '0.1', '1e20', '1e-38'])}f`;
    if (type === 'f64') return random.pick(['0.5', '1.0', '3.25', '1e-3', '1000.0', '0.1', '1e200', '1e-308']);
    return `(${type})${random.pick([0, 1, 2, 3, 5, 8, 13, 31, 100, 255, 1000, 65535, 123456789])}u`;
  }

  #bits32(variable) {
    return `(u32)${bitsOf(variable)}`;
  }

  /** All live variables mixed into one word, so that every computation can be seen. */
  #fold() {
    return this.variables.map((variable, i) => `(u64)${bitsOf(variable)} * ${2 * i + 3}ull`).join(' + ');
  }
}
