import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ref } from '@doorbell/abi';
import { Runtime } from '../src/index.js';

const folder = mkdtempSync(join(tmpdir(), 'doorbell-modules-'));
afterAll(() => rmSync(folder, { recursive: true }));

function writeModule(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** A runtime of its own; nothing is printed. */
function open(tools: string): Promise<Runtime> {
  const env = { DOORBELL_TOOLS: tools, HSA_TOOLS_REPORT_LOAD_FAILURE: '0' };
  return Runtime.acquire({ backend: 'emulated', env });
}

describe('tools that are modules', () => {
  it('wrap slots, the last one outermost, and are told when the runtime closes', async () => {
    const text = (name: string): string => `
      export function onLoad(tables, { runtimeVersion, failedTools }) {
        const { hsa_signal_create: next } = tables.core;
        globalThis.doorbellSeen = [...(globalThis.doorbellSeen ?? []), '${name} ' + runtimeVersion + ' ' + failedTools.length];
        tables.core.hsa_signal_create = (...args) => (globalThis.doorbellSeen.push('${name} called'), next(...args));
      }
      export function onUnload() { globalThis.doorbellSeen.push('${name} unloaded'); }`;
    const runtime = await open(`${writeModule('inner.mjs', text('inner'))} ${writeModule('outer.mjs', text('outer'))}`);
    expect(runtime.loadedTools.map(({ kind }) => kind)).toEqual(['module', 'module']);
    expect(runtime.tables.public.core.hsa_signal_create(1n, 0, null, ref(0n))).toBe(0);
    await runtime.release();
    expect(Reflect.get(globalThis, 'doorbellSeen')).toEqual([
      'inner 3 0',
      'outer 3 0',
      'outer called',
      'inner called',
      'outer unloaded',
      'inner unloaded',
    ]);
  });

  it('are left out when they are missing, have no onLoad, refuse, throw, or were made for other tables (O22)', async () => {
    const paths = [
      join(folder, 'missing.mjs'),
      writeModule('empty.mjs', 'export const something = 1;'),
      writeModule('refuses.mjs', 'export const onLoad = () => false;'),
      writeModule('throws.mjs', 'export const onLoad = async () => { throw new Error("no licence"); };'),
      writeModule('old.mjs', 'export const onLoad = () => true; export const madeFor = { core: { major: 1, minor: 1016 } };'),
    ];
    const runtime = await open(paths.join(' '));
    const { failedTools } = runtime;
    await runtime.release();
    expect(failedTools.map(({ reason }) => reason)).toEqual(['not-opened', 'no-on-load', 'refused', 'threw', 'version']);
    expect(failedTools[3]?.message).toBe(`tool ${paths[3]} was left out: its onLoad threw: no licence`);
    expect(failedTools[4]?.message).toBe(
      `tool ${paths[4]} was left out: it was made for other API tables: core 2 (1016 bytes, step 0) here, 1 (1016 bytes) of the tool`,
    );
  });
});
