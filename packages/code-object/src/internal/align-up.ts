/** The next multiple of `align`; 0 is taken for 1, as ELF does. */
export function alignUp(value: number, align: number): number {
  return align <= 1 ? value : Math.ceil(value / align) * align;
}
