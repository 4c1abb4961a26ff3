/** A picture of the set: the complex number of the first pixel, the step between pixels, and when to stop counting. */
export interface View {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly top: number;
  readonly step: number;
  readonly limit: number;
}

/** The same counts on the host, in the kernel's order of 32-bit operations. */
export function escapeCounts({ width, height, left, top, step, limit }: View): Uint32Array {
  const f = Math.fround;
  const counts = new Uint32Array(width * height);
  const [x0, y0, dx] = [f(left), f(top), f(step)];
  for (let y = 0; y < height; y++) {
    const cy = f(y0 + f(dx * f(y)));
    for (let x = 0; x < width; x++) {
      const cx = f(x0 + f(dx * f(x)));
      let zx = 0;
      let zy = 0;
      let n = 0;
      for (; n < limit; n++) {
        const x2 = f(zx * zx);
        const y2 = f(zy * zy);
        if (f(x2 + y2) > 4) break;
        zy = f(f(f(2 * zx) * zy) + cy);
        zx = f(f(x2 - y2) + cx);
      }
      counts[y * width + x] = n;
    }
  }
  return counts;
}
