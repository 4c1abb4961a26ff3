// Kernels whose work-items exchange values through LDS between barriers, and meet in atomics; on the host each phase is a loop over the
// items of the workgroup. Phases either read shared memory or write it, and an atomic's result is not looked at, so that the order
// of the items does not matter.
import { GROUP, WORDS_IN, WORDS_OUT } from './random.mjs';

/** Macros that make the same text a kernel or a loop over items. */
export const EXCHANGE = `#ifdef __AMDGCN__
#define EACH
#define VAR(type, name) type name
#define AT(name) name
#define LDS(type, name, count) static __attribute__((address_space(3), loader_uninitialized)) type name[count]
#define SYNC() do { __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); __builtin_amdgcn_s_barrier(); \\
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"); } while (0)
#else
#define EACH for (u32 l = 0; l < ${GROUP}u; l++)
#define VAR(type, name) type name[${GROUP}]
#define AT(name) name[l]
#define LDS(type, name, count) static type name[count]
#define SYNC()
#endif
#define FETCH(op, place, value) __atomic_fetch_##op(&(place), value, __ATOMIC_RELAXED)
`;

const STATE = [
  { name: 's', type: 'u32' },
  { name: 't', type: 'i32' },
  { name: 'w', type: 'u64' },
];

function expression(random, depth) {
  if (depth === 0) return random.pick(['(u32)AT(s)', '(u32)AT(t)', '(u32)AT(w)', 'l', `${random.below(1000)}u`]);
  const a = () => expression(random, depth - 1);
  const amount = () => `(${a()} & 31u)`;
  return random.pick([
    () => `(${a()} + ${a()})`,
    () => `(${a()} - ${a()})`,
    () => `(${a()} * ${a()})`,
    () => `(${a()} ^ ${a()})`,
    () => `(${a()} >> ${amount()})`,
    () => `(${a()} << ${amount()})`,
    () => `(${a()} < ${a()} ? ${a()} : ${a()})`,
    () => `(${a()} / (${a()} | 1u))`,
  ])();
}

/** An index of another item. */
function other(random) {
  const place = random.pick([
    `l + ${1 + random.below(GROUP - 1)}u`,
    `l ^ ${1 + random.below(GROUP - 1)}u`,
    `${GROUP - 1}u - l`,
    '(u32)AT(s)',
  ]);
  return `((${place}) % ${GROUP}u)`;
}

/** One kernel, `kN(in, out, n)` as {@link writeProgram} has them; `n` is a multiple of the workgroup's items. */
export function writeExchange(random, index) {
  const [values, sums, wide] = [`values_${index}`, `sums_${index}`, `wide_${index}`];
  const lines = [];
  const phase = (text) => lines.push(`    EACH { ${text} }`, '    SYNC();');
  phase(
    `u32 i = base + l; AT(s) = in[i * ${WORDS_IN}u]; AT(t) = (i32)in[i * ${WORDS_IN}u + 1u]; AT(w) = (u64)in[i * ${WORDS_IN}u + 2u] * 77ull; ` +
      `${values}[l] = AT(s) * 3u; if (l < 16u) ${sums}[l] = l; if (l < 8u) ${wide}[l] = l;`,
  );
  for (let round = 2 + random.below(4); round > 0; round--) {
    const isLoop = random.chance(30);
    if (isLoop) lines.push(`    for (u32 r = 0; r < ${2 + random.below(3)}u; r++) {`);
    const { name, type } = random.pick(STATE);
    const read = random.pick([`${values}[${other(random)}]`, `${sums}[(u32)AT(s) & 15u]`, `${wide}[l & 7u]`]);
    const guard = random.chance(40) ? `if (${expression(random, 1)} % 3u != 0u) ` : '';
    phase(`${guard}AT(${name}) = (${type})(${expression(random, 2)} + (${type})${read});`);
    const atomic = random.pick(['add', 'xor', 'and', 'or']);
    phase(
      `${values}[l] = ${expression(random, 2)}; ` +
        (random.chance(70) ? `FETCH(${atomic}, ${sums}[${expression(random, 1)} & 15u], ${expression(random, 1)}); ` : '') +
        (random.chance(50)
          ? `if (l & ${1 << random.below(5)}u) FETCH(${random.pick(['add', 'xor'])}, ${wide}[l & 7u], AT(w)); `
          : '') +
        (random.chance(50)
          ? `FETCH(add, out[(base + (${expression(random, 1)} % ${GROUP}u)) * ${WORDS_OUT}u + 3u], ${expression(random, 1)});`
          : ''),
    );
    if (isLoop) lines.push('    }');
  }
  lines.push(
    `    EACH { GLOBAL u32 *to = out + (base + l) * ${WORDS_OUT}u; to[0] = AT(s) ^ ${sums}[l & 15u]; to[1] = (u32)AT(t) + ${values}[${GROUP - 1}u - l]; to[2] = (u32)(AT(w) >> 32) ^ (u32)AT(w) ^ (u32)${wide}[l & 7u]; }`,
  );
  return `LDS(u32, ${values}, ${GROUP}); LDS(u32, ${sums}, 16); LDS(u64, ${wide}, 8);
#ifdef __AMDGCN__
__attribute__((amdgpu_kernel)) void k${index}(const GLOBAL u32 *in, GLOBAL u32 *out, u32 n) {
  u32 base = __builtin_amdgcn_workgroup_id_x() * ${GROUP}u, l = __builtin_amdgcn_workitem_id_x();
  {
#else
void k${index}(const u32 *in, u32 *out, u32 n) {
  for (u32 base = 0; base < n; base += ${GROUP}u) {
#endif
    VAR(u32, s); VAR(i32, t); VAR(u64, w);
${lines.join('\n')}
  }
}
`;
}
