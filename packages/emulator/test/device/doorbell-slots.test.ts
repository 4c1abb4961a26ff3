import { describe, expect, it } from 'vitest';
import { DoorbellSlots } from '../../src/device/doorbell-slots.js';

// amdgpu_doorbell.h: sDMA_ENGINE0 = 0x100, LAST_NON_CP = 0x18F (Vega20, Navi10); kfd_priv.h: mirror at +512.
describe('DoorbellSlots', () => {
  it('gives compute queues every doorbell but the reserved ranges, lowest first', () => {
    const slots = new DoorbellSlots({ properties: { gfx_target_version: 110_000 } });
    const given: number[] = [];
    for (let index = slots.takeForCompute(); index !== undefined; index = slots.takeForCompute()) given.push(index);
    const reserved = (index: number): boolean => index % 512 >= 0x100 && index % 512 <= 0x18f;
    expect(given).toEqual(Array.from({ length: 1024 }, (_, i) => i).filter((index) => !reserved(index)));
    slots.give(7);
    expect(slots.takeForCompute()).toBe(7);
  });

  it('reserves more where a GPU has several dies', () => {
    const slots = new DoorbellSlots({ properties: { gfx_target_version: 90_402 } });
    let count = 0;
    while (slots.takeForCompute() !== undefined) count += 1;
    expect(count).toBe(1024 - 2 * (0x1e8 - 0x100 + 1));
  });
});
