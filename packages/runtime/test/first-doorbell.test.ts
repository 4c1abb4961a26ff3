/** The way to the first doorbell that docs/amdkfd.md shows: calls of the emulated gfx1100, in the lines of `doorbell doctor --trace`. */
import { openNodeEmulatedDevice } from '@doorbell/emulator/node';
import type { TraceEvent } from '@doorbell/thunk-loader';
import { formatTraceStep, openKfdThunk, traceDevice } from '@doorbell/thunk-loader';
import { expect, it } from 'vitest';
import { expectSection } from '../../emulator/test/device/docs-page.js';
import { Scope } from '../../thunk-loader/test/contract/context.js';

const PAGE = 'amdkfd.md';
const COLUMNS = 130;

it('docs/amdkfd.md shows the calls from the open device to the first doorbell', async () => {
  const steps: TraceEvent[] = [];
  const device = await openNodeEmulatedDevice({ processor: 'gfx1100', workers: 1 });
  await using thunk = await openKfdThunk(traceDevice(device, (event) => steps.push(event)));
  new Scope(thunk).queue(thunk.gpus[0]!.gpuId);
  const lines = steps.filter(({ step }) => step !== 'sysfs').map((step) => formatTraceStep(step).trim());
  const ring = lines.findIndex((line) => line.startsWith('reserve('));
  const isMapped = lines.findIndex((line) => line.startsWith('ioctl MAP_MEMORY_TO_GPU('));
  const queue = lines.findIndex((line) => line.startsWith('ioctl CREATE_QUEUE('));
  expectSection(PAGE, 'open', fenced(lines.slice(0, ring)));
  expectSection(PAGE, 'memory', fenced(lines.slice(ring, isMapped + 1)));
  expectSection(PAGE, 'queue', fenced(lines.slice(queue)));
  // Ring, indices, EOP buffer, save area.
  const allocations = lines.slice(0, queue).filter((line) => line.startsWith('ioctl ALLOC_MEMORY_OF_GPU('));
  expect(allocations.length).toBe(4);
});

/** A code block; long lines go on indented. */
function fenced(lines: readonly string[]): string {
  return ['```', ...lines.flatMap(wrap), '```'].join('\n');
}

function wrap(line: string): readonly string[] {
  const wrapped: string[] = [];
  let rest = line;
  while (rest.length > COLUMNS) {
    const end = rest.lastIndexOf(', ', COLUMNS) + 1;
    if (end === 0) break;
    wrapped.push(rest.slice(0, end));
    rest = `    ${rest.slice(end + 1)}`;
  }
  return [...wrapped, rest];
}
