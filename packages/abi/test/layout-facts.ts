import type { Field, Fields, StructLayout } from '../src/index.js';
import { sizeOfType } from '../src/index.js';

export type AnyLayout = StructLayout<Fields>;

/** A member by its C path, from the start of the outermost structure. */
export interface MemberFact {
  readonly path: string;
  readonly offset: number;
  readonly sizeBytes: number;
  readonly bit?: number;
  readonly bits?: number;
}

/** Every member of a layout, outer ones before their own members. */
export function membersOf(fields: Fields, prefix = '', base = 0): MemberFact[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const fact = memberFact(path, base, field);
    if (typeof field.type === 'string' || 'array' in field.type) return [fact];
    return [fact, ...membersOf(field.type.struct, `${path}.`, fact.offset)];
  });
}

function memberFact(path: string, base: number, field: Field): MemberFact {
  const { bit, bits } = field;
  const fact = { path, offset: base + field.offset, sizeBytes: sizeOfType(field.type) };
  return bit === undefined || bits === undefined ? fact : { ...fact, bit, bits };
}

/** The layouts among a module's exports, by export name. */
export function layoutsOf(module: object): Record<string, AnyLayout> {
  return Object.fromEntries(
    Object.entries(module).filter(
      (entry): entry is [string, AnyLayout] => typeof entry[1] === 'object' && 'sizeBytes' in entry[1],
    ),
  );
}

/** The numbers among a module's exports. */
export function numbersOf(module: object): Record<string, number | bigint> {
  return Object.fromEntries(
    Object.entries(module).filter(
      (entry): entry is [string, number | bigint] => typeof entry[1] === 'number' || typeof entry[1] === 'bigint',
    ),
  );
}

/**
 * C statements that print, for each layout, `size`, offset and size of each member, and which bits a bit-field has; and what
 * our layouts say in the same words. Both as lines, to be compared. Members that the C headers do not have yet are left out.
 */
export function layoutReport(
  layouts: Readonly<Record<string, AnyLayout>>,
  cType: (name: string) => string,
  hasMember: (name: string) => boolean = () => true,
): { source: string; expected: string[] } {
  const statements: string[] = [];
  const expected: string[] = [];
  for (const [name, layout] of Object.entries(layouts)) {
    const type = cType(name);
    statements.push(`printf("${name} %zu\\n", sizeof(${type}));`);
    expected.push(`${name} ${layout.sizeBytes}`);
    for (const { path, offset, sizeBytes, bit, bits } of membersOf(layout.fields)) {
      if (!path.split('.').every(hasMember)) continue;
      if (bit === undefined || bits === undefined) {
        const size = sizeBytes === 0 ? '(size_t)0' : `sizeof(((${type} *)0)->${path})`;
        statements.push(`printf("${name}.${path} %zu %zu\\n", offsetof(${type}, ${path}), ${size});`);
        expected.push(`${name}.${path} ${offset} ${sizeBytes}`);
      } else {
        statements.push(
          `{ ${type} s; memset(&s, 0, sizeof s); s.${path} = ~0ull; unsigned long long w = 0; memcpy(&w, (char *)&s + ${offset}, ${sizeBytes});` +
            ` unsigned n = 0; for (size_t i = 0; i < sizeof s; i++) n += __builtin_popcount(((unsigned char *)&s)[i]);` +
            ` printf("${name}.${path} %llu %u\\n", w, n); }`,
        );
        expected.push(`${name}.${path} ${((1n << BigInt(bits)) - 1n) << BigInt(bit)} ${bits}`);
      }
    }
  }
  return { source: statements.join('\n'), expected };
}
