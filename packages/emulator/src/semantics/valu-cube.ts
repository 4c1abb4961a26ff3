/** Faces of a cube map that a direction (S0, S1, S2) meets (RDNA3 ISA document, V_CUBEID_F32 to V_CUBEMA_F32). */
import type { Value } from '../ir/block.js';
import type { WaveBuilder } from '../ir/wave-builder.js';
import { absF32, negF32 } from './float-bits.js';
import type { Semantic } from './operation.js';
import { mulF32 } from './rounding.js';

interface Direction {
  readonly b: WaveBuilder;
  readonly x: Value;
  readonly y: Value;
  readonly z: Value;
  readonly isNegative: (value: Value) => Value;
}

/** What becomes of a direction by its largest component. */
interface Faces {
  readonly x: (d: Direction) => Value;
  readonly y: (d: Direction) => Value;
  readonly z: (d: Direction) => Value;
}

function byFace(faces: Faces): Semantic {
  return (o) => {
    const { b } = o;
    const [x, y, z] = [o.f32(0), o.f32(1), o.f32(2)];
    const isNegative = (value: Value): Value => b.op('ltF32', value, b.i32(0));
    const direction = { b, x, y, z, isNegative };
    const [ax, ay, az] = [absF32(b, x), absF32(b, y), absF32(b, z)];
    const isZ = b.op('and', b.op('leF32', ax, az), b.op('leF32', ay, az));
    const other = b.op('select32', b.op('leF32', ax, ay), faces.y(direction), faces.x(direction));
    o.setF32(b.op('select32', isZ, faces.z(direction), other));
  };
}

const choose = (d: Direction, value: Value, negative: Value, positive: Value): Value =>
  d.b.op('select32', d.isNegative(value), negative, positive);

const F32 = { one: 0x3f80_0000, two: 0x4000_0000, three: 0x4040_0000, four: 0x4080_0000, five: 0x40a0_0000 } as const;
const twice = ({ b }: Direction, value: Value): Value => mulF32(b, value, b.i32(F32.two));

export const VALU_CUBE: Readonly<Record<string, Semantic>> = {
  v_cubeid_f32: byFace({
    x: (d) => choose(d, d.x, d.b.i32(F32.one), d.b.i32(0)),
    y: (d) => choose(d, d.y, d.b.i32(F32.three), d.b.i32(F32.two)),
    z: (d) => choose(d, d.z, d.b.i32(F32.five), d.b.i32(F32.four)),
  }),
  v_cubesc_f32: byFace({
    x: (d) => choose(d, d.x, d.z, negF32(d.b, d.z)),
    y: (d) => d.x,
    z: (d) => choose(d, d.z, negF32(d.b, d.x), d.x),
  }),
  v_cubetc_f32: byFace({
    x: (d) => negF32(d.b, d.y),
    y: (d) => choose(d, d.y, negF32(d.b, d.z), d.z),
    z: (d) => negF32(d.b, d.y),
  }),
  v_cubema_f32: byFace({ x: (d) => twice(d, d.x), y: (d) => twice(d, d.y), z: (d) => twice(d, d.z) }),
};
