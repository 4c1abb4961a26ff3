/** Registers as one numbering: SGPRs 0…127, SCC, then VGPRs. */
export const SCC = 128;
export const FIRST_VGPR = 129;

export const isVgpr = (register: number): boolean => register >= FIRST_VGPR;
