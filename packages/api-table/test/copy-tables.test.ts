import { HSA_TABLES } from '@doorbell/abi';
import { describe, expect, it } from 'vitest';
import { copyTables, createApiTables, hasSlot, TABLE_NAMES } from '../src/index.js';

/** A container of its own, whose slots all give 1, and a source whose hsa_init gives 0. */
function pair() {
  const source = createApiTables({ hsa_init: () => 0 }).public;
  const destination = createApiTables({ hsa_init: () => 1, hsa_shut_down: () => 1 }).public;
  return { source, destination };
}

describe('copyTables', () => {
  it('copies every slot of tables with the same version', () => {
    const { source, destination } = pair();
    copyTables(source, destination);
    for (const name of TABLE_NAMES) expect(destination[name]).toEqual(source[name]);
  });

  it('zeroes the root version and stops when the major versions differ', () => {
    const { source, destination } = pair();
    source.version.major = 4;
    copyTables(source, destination);
    expect(destination.version).toMatchObject({ major: 0, minor: 0, step: 0 });
    expect(destination.core.hsa_init()).toBe(1);
  });

  it('copies as many slots as the shorter side has, and takes the step of the source', () => {
    const { source, destination } = pair();
    source.core.version.minor = 24;
    source.core.version.step = 9;
    copyTables(source, destination);
    expect(destination.core.version).toEqual({ major: 2, minor: 24, step: 9, reserved: 0 });
    expect([destination.core.hsa_init(), destination.core.hsa_shut_down()]).toEqual([0, 1]);
  });

  it('keeps a shorter destination as short as it is', () => {
    const { source, destination } = pair();
    destination.core.version.minor = 16;
    copyTables(source, destination);
    expect([destination.core.version.minor, destination.core.hsa_init()]).toEqual([16, 1]);
  });

  it.each([
    ['absent in the source', 0],
    ['of another major version', 5],
  ])('zeroes the version of a table that is %s, and goes on with the others', (_, major) => {
    const { source, destination } = pair();
    source.core.version.major = major;
    copyTables(source, destination);
    expect(destination.core.version).toMatchObject({ major: 0, minor: 0, step: 0 });
    expect(destination.core.hsa_init()).toBe(1);
    expect(destination.amdExt).toEqual(source.amdExt);
  });

  it('leaves tables alone that lie past the end of the root', () => {
    const { source, destination } = pair();
    source.version.minor = 32;
    const before = { ...destination.finalizerExt };
    copyTables(source, destination);
    expect(destination.version.minor).toBe(32);
    expect(destination.amdExt).toEqual(source.amdExt);
    expect(destination.finalizerExt).toEqual(before);
  });
});

describe('hasSlot', () => {
  it('says yes up to the size of the table', () => {
    const { source } = pair();
    const last = HSA_TABLES.core.slots.at(-1)!;
    expect([hasSlot(source.core, 'hsa_init'), hasSlot(source.core, last), hasSlot(source.core, 'hsa_nothing')]).toEqual([
      true,
      true,
      false,
    ]);
    source.core.version.minor = 1008;
    expect(hasSlot(source.core, last)).toBe(false);
    source.core.version.major = 0;
    expect(hasSlot(source.core, 'hsa_init')).toBe(false);
  });
});
