import { describe, expect, it } from 'vitest';
import { LOCATION_UNDEFINED, SvmRanges } from '../../src/device/svm-ranges.js';

const PAGE = 4096;
const [A, B] = [0x1000, 0x2000];
const EFAULT = 14;
const READ = 1;
const WRITE = 2;
const EXECUTE = 4;
const COARSE = 8;

/** Ranges over one area of 16 pages, and what GPUs may do with its first pages. */
function make(): { readonly svm: SvmRanges; readonly access: (first: number, pages: number) => readonly number[] } {
  const svm = new SvmRanges({ gpuIds: [A, B], hasBuffers: () => false, onChange: () => undefined });
  svm.addArea(0, 16 * PAGE);
  return {
    svm,
    access: (first, pages) => Array.from({ length: pages }, (_, i) => svm.accessAt((first + i) * PAGE)),
  };
}

// Expected values: amdkfd kfd_svm.c svm_range_set_default_attributes, svm_range_apply_attrs, svm_range_get_attr.
describe('SvmRanges', () => {
  it('gives the defaults where nothing was set: HOST_ACCESS | COHERENT, 2 MiB, no GPU', () => {
    const summary = make().svm.summarize(0, PAGE);
    expect(summary).toMatchObject({
      preferredLocation: LOCATION_UNDEFINED,
      prefetchLocation: LOCATION_UNDEFINED,
      flagsAnd: 3,
      flagsOr: 3,
      granularity: 9,
    });
    expect([summary.access.size, summary.accessInPlace.size]).toEqual([0, 0]);
  });

  it('splits a range that a later change covers half', () => {
    const { svm } = make();
    svm.set(0, 4 * PAGE, [{ kind: 'preferred', value: A }]);
    svm.set(2 * PAGE, 4 * PAGE, [{ kind: 'preferred', value: B }]);
    const at = (page: number, pages: number): number => svm.summarize(page * PAGE, pages * PAGE).preferredLocation;
    expect([at(0, 2), at(2, 2), at(2, 4), at(0, 6)]).toEqual([A, B, B, LOCATION_UNDEFINED]);
  });

  it('fills holes, and keeps what lies around', () => {
    const { svm } = make();
    svm.set(PAGE, PAGE, [{ kind: 'granularity', value: 3 }]);
    svm.set(3 * PAGE, PAGE, [{ kind: 'granularity', value: 4 }]);
    svm.set(0, 5 * PAGE, [{ kind: 'set-flags', value: 0x10 }]);
    const at = (page: number): number => svm.summarize(page * PAGE, PAGE).granularity;
    expect([0, 1, 2, 3, 4].map(at)).toEqual([9, 3, 9, 4, 9]);
    expect(svm.summarize(0, 5 * PAGE)).toMatchObject({ flagsAnd: 0x13, flagsOr: 0x13, granularity: 3 });
    expect(svm.summarize(0, 6 * PAGE)).toMatchObject({ flagsAnd: 0x13 });
  });

  it('answers flags as what all have, and as what some have', () => {
    const { svm } = make();
    svm.set(0, PAGE, [{ kind: 'set-flags', value: 0x20 }]);
    svm.set(PAGE, PAGE, [{ kind: 'clear-flags', value: 0x1 }]);
    expect(svm.summarize(0, 2 * PAGE)).toMatchObject({ flagsAnd: 0x2, flagsOr: 0x23 });
  });

  it('lets access, access in place and none exclude each other, and intersects them', () => {
    const { svm } = make();
    svm.set(0, 2 * PAGE, [
      { kind: 'access', value: A },
      { kind: 'access-in-place', value: B },
    ]);
    svm.set(PAGE, PAGE, [{ kind: 'access-in-place', value: A }]);
    const first = svm.summarize(0, PAGE);
    expect([[...first.access], [...first.accessInPlace]]).toEqual([[A], [B]]);
    const both = svm.summarize(0, 2 * PAGE);
    expect([[...both.access], [...both.accessInPlace]]).toEqual([[], [B]]);
    svm.set(0, 2 * PAGE, [{ kind: 'no-access', value: B }]);
    expect([...svm.summarize(0, 2 * PAGE).accessInPlace]).toEqual([]);
  });

  it('opens pages to GPUs as the attributes say', () => {
    const { svm, access } = make();
    svm.set(0, 2 * PAGE, [{ kind: 'access', value: A }]);
    svm.set(PAGE, PAGE, [
      { kind: 'set-flags', value: 0x18 },
      { kind: 'clear-flags', value: 0x2 },
    ]);
    expect(access(0, 3)).toEqual([READ | WRITE, READ | EXECUTE | COARSE, 0]);
    svm.set(0, 2 * PAGE, [{ kind: 'no-access', value: A }]);
    expect(access(0, 3)).toEqual([0, 0, 0]);
  });

  it('opens everything that nobody forbade while page faults are recovered from', () => {
    const { svm, access } = make();
    svm.set(0, PAGE, [{ kind: 'no-access', value: A }]);
    svm.setXnack(true);
    expect(access(0, 2)).toEqual([0, READ | WRITE]);
    svm.setXnack(false);
    expect(access(0, 2)).toEqual([0, 0]);
  });

  it('wants memory behind the whole range, and forgets attributes with it', () => {
    const { svm, access } = make();
    expect(svm.check(0, 16 * PAGE)).toBe(0);
    expect(svm.check(0, 17 * PAGE)).toBe(-EFAULT);
    svm.addArea(16 * PAGE, PAGE);
    expect(svm.check(0, 17 * PAGE)).toBe(0);
    svm.set(14 * PAGE, 3 * PAGE, [{ kind: 'access', value: A }]);
    svm.removeArea(16 * PAGE, PAGE);
    expect(access(14, 3)).toEqual([READ | WRITE, READ | WRITE, 0]);
    expect(svm.check(16 * PAGE, PAGE)).toBe(-EFAULT);
  });
});
