import { thunkLoader } from '@doorbell/runtime/layers';
import type { CheckContext, Finding } from './check.js';
import { finding } from './check.js';

/** Processors on which AMD's driver runs, by Node's name. */
const TESTED = ['x64', 'arm64'];

/** System, containers, WSL, virtual machine: with what speaks for each. */
export function checkPlatform({ platform, node }: CheckContext): Finding {
  const evidence = [
    `${thunkLoader.describePlatform(platform)}; Node ${node.version} for ${node.os} ${node.arch}`,
    ...platform.surroundings.map(
      ({ kind, name, evidence: seen }) => `${kind} ${name}: ${seen.map(({ where, found }) => `${where} (${found})`).join(', ')}`,
    ),
  ];
  const [note, ...more] = platform.notes;
  evidence.push(...more);
  if (platform.system !== 'linux' || !TESTED.includes(node.arch)) {
    return finding('warning', evidence, note ?? 'AMD GPUs are reached on Linux x64; elsewhere only the emulated GPU is there.');
  }
  return finding(note === undefined ? 'ok' : 'warning', evidence, note);
}
