// The benchmark kernels' cases, launched through the friendly API.
import { argumentsOf, checkSum, groupsOf, WORKGROUP } from './inputs.mjs';

export { bytesAtL, codeObject, KERNELS, laneInstructionsAtL } from './inputs.mjs';

/**
 * A case ready to run on a device: buffers allocated and filled. `launch()` runs it once, `reset()` writes the inputs that a launch
 * changes, `check()` says whether the sum of the output is what it must be.
 */
export async function prepareCase(device, module, kernel, size) {
  const args = argumentsOf(kernel, size);
  const buffers = [];
  const values = args.map((arg) => {
    if ('value' in arg) return arg.value;
    const buffer = device.alloc(arg.type, arg.length);
    buffers.push({ buffer, arg });
    return buffer;
  });
  const reset = async (only = 'outputs') => {
    for (const { buffer, arg } of buffers) {
      if (only === 'outputs' && !arg.isOutput) continue;
      if (arg.data) await buffer.write(arg.data);
      else buffer.view().fill(0);
    }
  };
  await reset('all');
  const handle = module.kernel(kernel);
  const grid = groupsOf(kernel, size) * WORKGROUP;
  const output = buffers.find(({ arg }) => arg.isOutput).buffer;
  return {
    grid,
    launch: () => handle.launch({ grid, workgroup: WORKGROUP, args: values }),
    reset,
    check: async () => checkSum(kernel, size, await output.read()),
    dispose: () => buffers.forEach(({ buffer }) => buffer.dispose()),
  };
}
