import { Runtime } from '@doorbell/runtime';
import { abi, emulator } from '@doorbell/runtime/layers';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openNodeEmulatedDevice } from '../../emulator/src/node/index.js';
import { generationOf, semanticsOf } from '../../emulator/src/semantics/index.js';
import { instructionTable } from '../../isa/src/table/processors.js';

const PAGE = new URL('../../../docs/not-supported.md', import.meta.url);
const ENOTTY = 25;
/** They open and close the runtime, and are known to be there. */
const LIFE_CYCLE: readonly string[] = ['hsa_init', 'hsa_shut_down'];

/** Compares a section of the page with what is so; `DOORBELL_WRITE_DOCS=1` writes it instead. */
function expectSection(name: string, lines: readonly string[]): void {
  const page = readFileSync(PAGE, 'utf8');
  const section = new RegExp(`(<!-- begin ${name} -->\n\n)([\\s\\S]*?)\n*(<!-- end ${name} -->)`);
  const text = lines.join('\n');
  if (process.env['DOORBELL_WRITE_DOCS'] === '1') {
    const written = page.replace(section, (_all, begin: string, _old, end: string) => `${begin}${text}\n\n${end}`);
    writeFileSync(PAGE, written);
    return;
  }
  expect(section.exec(page)?.[2]).toBe(text);
}

function list(title: string, names: readonly string[]): string {
  return `- ${title} (${names.length}): ${names.map((name) => `\`${name}\``).join(', ')}`;
}

describe('docs/not-supported.md', () => {
  it('names the HSA functions that nothing implements', async () => {
    const runtime = await Runtime.acquire({ backend: 'emulated' });
    try {
      const missing = new Set<unknown>();
      using _ = runtime.events.listen(({ name, details }) => {
        if (name === 'slot-not-implemented') missing.add(details['slot']);
      });
      const lines: string[] = [];
      for (const table of ['core', 'amdExt', 'finalizerExt', 'imageExt', 'pcSamplingExt'] as const) {
        const { slots } = abi.HSA_TABLES[table];
        for (const slot of slots) {
          if (LIFE_CYCLE.includes(slot)) continue;
          // Without arguments a slot that is there refuses them, and does nothing.
          const call = Reflect.get(runtime.tables.public[table], slot) as () => unknown;
          call();
        }
        const names = slots.filter((slot) => missing.has(slot));
        if (names.length > 0)
          lines.push(list(`\`${table}\`, ${names.length} of ${slots.length}`, names).replace(/ \(\d+\):/, ':'));
      }
      expectSection('hsa-functions', lines);
    } finally {
      await runtime.release();
    }
  });

  it('names the ioctls that the emulated driver answers with ENOTTY', async () => {
    await using device = await openNodeEmulatedDevice({ processor: 'gfx1100', workers: 1 });
    const missing: string[] = [];
    for (const [name, request] of Object.entries(abi.kfd)) {
      if (!name.startsWith('AMDKFD_IOC_') || /_\d+_\d+$/.test(name) || typeof request !== 'number') continue;
      // Waiting is the one call that takes its time.
      if (name === 'AMDKFD_IOC_WAIT_EVENTS') continue;
      if (device.ioctl(request, new Uint8Array((request >>> 16) & 0x3fff)) === -ENOTTY)
        missing.push(name.slice('AMDKFD_IOC_'.length));
    }
    expectSection('ioctls', [list('`AMDKFD_IOC_…`', missing)]);
  });

  it('counts the gfx11 instructions that the emulator does not execute', () => {
    const table = instructionTable('gfx1100');
    const semantics = semanticsOf(generationOf('gfx1100'));
    const formats = new Map<string, Map<string, boolean>>();
    for (let entry = 0; entry < table.entryCount; entry++) {
      const name = table.name(entry);
      const names = formats.get(table.format(entry)) ?? new Map<string, boolean>();
      formats.set(table.format(entry), names.set(name, semantics.has(name)));
    }
    const lines = [...formats]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([format, names]) => {
        const missing = [...names].filter(([, isThere]) => !isThere).map(([name]) => name);
        if (missing.length === 0) return [];
        if (missing.length === names.size) return [`- ${format}: all ${names.size}`];
        return [list(`${format}, ${missing.length} of ${names.size}`, missing.sort()).replace(/ \(\d+\):/, ':')];
      });
    expectSection('instructions', lines);
  });

  it('names the targets that can be emulated', () => {
    const targets = emulator.listEmulatedTargets().map((target) => `\`${target}\``);
    expectSection('targets', [`Emulated devices: ${targets.join(', ')}.`]);
  });
});
