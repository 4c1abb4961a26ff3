import { describe, expect, it } from 'vitest';
import { DoorbellSlots } from '../../src/device/doorbell-slots.js';

// amdgpu_doorbell.h: sDMA_ENGINE0 = 0x100, LAST_NON_CP = 0x190 (Navi10); kfd_priv.h: mirror at +512.
describe('DoorbellSlots', () => {
  it('gives compute queues every doorbell but the reserved ranges, lowest first', () => {
    const slots = new DoorbellSlots({ properties: { gfx_target_version: 110_000 } });
    const given: number[] = [];
    for (let index = slots.takeForCompute(); index !== undefined; index = slots.takeForCompute()) given.push(index);
    const reserved = (index: number): boolean => index % 512 >= 0x100 && index % 512 <= 0x190;
    expect(given).toEqual(Array.from({ length: 1024 }, (_, i) => i).filter((index) => !reserved(index)));
    slots.give(7);
    expect(slots.takeForCompute()).toBe(7);
  });

  // VEGA20: LAST_NON_CP = 0x18F; LAYOUT1: 0x1E8 (gfx9.4.3); SOC_V1_0: 0x1EF (gfx12.5).
  it.each([
    [90_010, 0x18f],
    [90_402, 0x1e8],
    [120_500, 0x1ef],
  ])('reserves what the layout of generation %i says', (version, last) => {
    const slots = new DoorbellSlots({ properties: { gfx_target_version: version } });
    let count = 0;
    while (slots.takeForCompute() !== undefined) count += 1;
    expect(count).toBe(1024 - 2 * (last - 0x100 + 1));
  });
});
