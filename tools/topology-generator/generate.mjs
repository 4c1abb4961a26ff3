/**
 * Writes packages/emulator/src/generated/topologies.ts from the captured node sets in data/*.json.
 * Where each value comes from stays in the JSON (`provenance`); the emulator needs the values alone.
 *
 *   node tools/topology-generator/generate.mjs [--check]
 *
 * `--check` writes nothing and ends with 1 when the committed file differs.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';

const dataUrl = new URL('./data/', import.meta.url);
const outUrl = new URL('../../packages/emulator/src/generated/topologies.ts', import.meta.url);

const without = (record, ...keys) => Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));

/** What the emulated tree is made of; `unique_id` stays a decimal string because it exceeds 2^53. */
function nodeData(capture) {
  return {
    gpu_id: capture.gpu_id,
    name: capture.name,
    properties: capture.properties,
    mem_banks: capture.mem_banks.map((bank) => without(bank, 'provenance')),
    cache_groups: capture.cache_groups.map((group) => without(group, 'what')),
    io_links: capture.io_links,
    p2p_links: capture.p2p_links,
  };
}

function gpuData(capture) {
  return {
    ...nodeData(capture),
    reciprocal_io_link_on_cpu_node: capture.reciprocal_io_link_on_cpu_node,
    drm: without(capture.drm, 'provenance'),
  };
}

const captures = Object.fromEntries(
  readdirSync(dataUrl)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => [file.slice(0, -'.json'.length), JSON.parse(readFileSync(new URL(file, dataUrl), 'utf8'))]),
);
const { cpu, ...gpus } = captures;
const render = (value) => JSON.stringify(value, null, 2);

const text = `// Made by tools/topology-generator/generate.mjs from tools/topology-generator/data/*.json (format ${cpu.format}); do not edit.
import type { CpuTopologyData, GpuTopologyData } from '../sysfs/topology-data.js';

export type GpuTopologyName = ${Object.keys(gpus)
  .map((name) => `'${name}'`)
  .join(' | ')};

export const CPU_TOPOLOGY: CpuTopologyData = ${render({ ...nodeData(cpu), system: cpu.system })};

export const GPU_TOPOLOGIES: Readonly<Record<GpuTopologyName, GpuTopologyData>> = ${render(
  Object.fromEntries(Object.entries(gpus).map(([name, capture]) => [name, gpuData(capture)])),
)};
`;

if (process.argv.includes('--check')) {
  if (readFileSync(outUrl, 'utf8') !== text) {
    console.error('packages/emulator/src/generated/topologies.ts is not what the generator writes; run it again');
    process.exitCode = 1;
  }
} else {
  writeFileSync(outUrl, text);
}
