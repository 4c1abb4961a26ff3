/** Red, green and blue of an escape count; points of the set are black. */
export function colour(count: number, limit: number): [number, number, number] {
  if (count >= limit) return [0, 0, 0];
  const t = Math.sqrt(count / limit);
  const wave = (phase: number): number => Math.round(255 * (0.5 - 0.5 * Math.cos(2 * Math.PI * (t * 1.6 + phase))));
  return [wave(0.05), wave(0.15), wave(0.3)];
}
