/** Whether two byte strings are the same; word by word, where they lie so that they can be read as words. */
export function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  const words = a.length >>> 2;
  const canCompareWords = a.byteOffset % 4 === 0 && b.byteOffset % 4 === 0;
  if (canCompareWords) {
    const left = new Uint32Array(a.buffer, a.byteOffset, words);
    const right = new Uint32Array(b.buffer, b.byteOffset, words);
    for (let index = 0; index < words; index++) if (left[index] !== right[index]) return false;
  }
  for (let index = canCompareWords ? words * 4 : 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}
