import type { DecodeContext } from '../decode/decode-context.js';
import type { OperandPlan, ShapePlan } from '../decode/operand-plan.js';
import { STORE_FROM_LDS } from '../disassemble/modifiers.js';

/** What stands between the commas of an instruction. */
export type Slot =
  | { readonly kind: 'operand'; readonly plan: OperandPlan }
  /** A field that is written as a number or in words: `vmcnt(0)`, `hwreg(…)`, `attr0.x`. */
  | { readonly kind: 'immediate'; readonly plan: OperandPlan }
  /** VCC, which the encoding implies; it may be left out. */
  | { readonly kind: 'implied'; readonly register: string }
  /** In place of an address that this form does not have. */
  | { readonly kind: 'off' }
  /** An operand of exp: a register, or off. */
  | { readonly kind: 'export'; readonly plan: OperandPlan }
  /** Registers of an image address, each in a field of its own: `[v1, v4, v[6:7]]`. */
  | { readonly kind: 'addresses'; readonly plans: readonly OperandPlan[] };

/** Classes of immediates that are operands; the others are modifiers. */
const POSITIONAL: ReadonlySet<string> = new Set([
  's16imm',
  'u16imm',
  'i16imm',
  'i32imm',
  'i8imm',
  'endpgm',
  'hwreg',
  'sendmsg',
  'swaitcnt',
  'depctr',
  'sdelayalu',
  'versionimm',
  'soppbrtarget',
  'exp_tgt',
  'interpattr',
  'interpslot',
  'gpridxmode',
  'splitbarrier',
]);
/** The operands of an entry in the order in which they are written; the inverse of what the disassembler prints. */
export function operandSlots({ table, waveSize }: DecodeContext, entry: number, { operands }: ShapePlan): readonly Slot[] {
  const format = table.format(entry);
  const has = (name: string): boolean => operands.some((plan) => plan.name === name);
  const vcc: Slot = { kind: 'implied', register: waveSize === 64 ? 'vcc' : 'vcc_lo' };
  const isPositional = (plan: OperandPlan): boolean => {
    const { k, c = '' } = plan.description;
    if (k !== 'imm') return true;
    if (plan.name === 'en') return false;
    // The other classes of scalar offsets are modifiers behind a register.
    return POSITIONAL.has(c) || c === 'smemoffset';
  };
  const slotOf = (plan: OperandPlan): Slot => ({ kind: plan.description.k === 'imm' ? 'immediate' : 'operand', plan });
  const positional = operands.filter(isPositional);
  const slots = positional.map(slotOf);
  switch (format) {
    case 'VOPC':
      return table.implicitWrites(entry).includes('vcc') && !has('sdst') ? [vcc, ...slots] : slots;
    case 'VOP2':
      if (table.implicitWrites(entry).includes('vcc')) slots.splice(1, 0, vcc);
      if (table.implicitReads(entry).includes('vcc')) slots.push(vcc);
      return slots;
    case 'GLOBAL':
      return has('saddr') || slots.length === 0 ? slots : [...slots, { kind: 'off' }];
    case 'SCRATCH':
      return scratchSlots(positional);
    case 'MUBUF':
    case 'MTBUF':
      if (!has('vaddr') && has('srsrc') && table.name(entry) !== STORE_FROM_LDS)
        slots.splice(has('vdata') ? 1 : 0, 0, { kind: 'off' });
      return slots;
    case 'EXP':
      return slots.map((slot) => (slot.kind === 'operand' ? { kind: 'export', plan: slot.plan } : slot));
    case 'MIMG':
    case 'VIMAGE':
    case 'VSAMPLE':
      return imageSlots(positional, table.extension(entry) === 'NSA' || (format !== 'MIMG' && table.extension(entry) === ''));
    default:
      return slots;
  }
}

/** `vdst, vaddr, saddr` or `vaddr, vdata, saddr`. */
function scratchSlots(plans: readonly OperandPlan[]): Slot[] {
  const slot = (name: string): Slot => {
    const plan = plans.find((candidate) => candidate.name === name);
    return plan ? { kind: 'operand', plan } : { kind: 'off' };
  };
  if (plans.some((plan) => plan.name === 'vdst')) return [slot('vdst'), slot('vaddr'), slot('saddr')];
  if (plans.some((plan) => plan.name === 'vdata')) return [slot('vaddr'), slot('vdata'), slot('saddr')];
  return [slot('vaddr'), slot('saddr')];
}

function imageSlots(plans: readonly OperandPlan[], isSeparate: boolean): Slot[] {
  const addresses = plans.filter((plan) => plan.name.startsWith('vaddr'));
  const slots: Slot[] = [];
  for (const plan of plans) {
    if (!isSeparate || !addresses.includes(plan)) slots.push({ kind: 'operand', plan });
    else if (plan === addresses[0]) slots.push({ kind: 'addresses', plans: addresses });
  }
  return slots;
}
