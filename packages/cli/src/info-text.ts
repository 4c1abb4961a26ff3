import type { AgentReport, InfoReport } from './info-report.js';
import type { Colors } from './output.js';
import { count, formatBytes, formatTable } from './text.js';

/** The text of `doorbell info`. */
export function formatInfo(report: InfoReport, color: Colors): string {
  const { thunk } = report;
  const owner = report.machine === 'emulated' ? ' of the emulated machine' : '';
  const parts = [
    `Doorbell ${report.version} on ${thunk.path} (${report.backend}, interface ${thunk.interfaceVersion})\n`,
    `\nThunk candidates\n${formatTable(report.candidates.map(({ backend, state, reason }) => [backend, state, reason]))}`,
    `\nDrivers${owner}\n${formatTable(report.drivers.map(({ driver, state, reason }) => [driver, state, reason]))}`,
    `\nTopology${owner}\n  ${report.topology.summary}\n`,
    ...report.agents.map((agent, index) => `\n${formatAgent(agent, index, color)}`),
    section(
      'NPUs (nothing runs on them here)',
      report.npus.map(
        ({ name, marketingName, devicePath, npu }) =>
          `${name} ${marketingName} (${devicePath}, ${npu.columns} × ${npu.coreRows} tiles)`,
      ),
    ),
    section('Hidden by ROCR_VISIBLE_DEVICES', report.hiddenGpus),
    section(
      'Left out',
      report.skipped.map(({ sysfsId, name, reason }) => `node ${sysfsId}${name === '' ? '' : ` (${name})`}: ${reason}`),
    ),
    section('Notes', report.notes),
  ];
  return parts.join('');
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `\n${title}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

function formatAgent(agent: AgentReport, index: number, color: Colors): string {
  const title = `Agent ${index}: ${agent.kind === 'gpu' ? 'GPU' : 'CPU'} ${color.bold(agent.name)}`;
  const facts = [
    ...(agent.marketingName === '' ? [] : [['product', agent.marketingName]]),
    ['vendor', agent.vendorName],
    ['uuid', agent.uuid],
    ['node', `${agent.nodeId}${agent.sysfsId === agent.nodeId ? '' : ` (folder ${agent.sysfsId})`}`],
    ...(agent.override === undefined ? [] : [['override', `${agent.override.variable}=${agent.override.value}`]]),
    ['profile', agent.profile],
    ...(agent.maxClockMhz === 0 ? [] : [['clock', `at most ${agent.maxClockMhz} MHz`]]),
    ...(agent.cores === undefined ? [] : [['cores', `${agent.cores}`]]),
    ...agent.isaNames.map((name, i) => [i === 0 ? 'ISA' : '', name]),
    ...Object.entries(agent.gpu ?? {}).map(([name, value]) => [wordsOf(name), formatFact(name, value)]),
    ...agent.caches.map(({ level, type, sizeBytes, count: caches }) => [
      `L${level}`,
      `${formatBytes(sizeBytes)}${caches > 1 ? ` × ${caches}` : ''} ${type}`,
    ]),
  ];
  const pools = agent.pools.map((pool) => [
    pool.kind,
    pool.coherence,
    formatBytes(pool.sizeBytes),
    pool.runtimeAllocAllowed ? formatBytes(pool.granuleBytes) : '-',
    [pool.kernarg ? 'kernarg' : '', pool.accessibleByAll ? 'all agents' : '', pool.hostVisible ? 'host visible' : '']
      .filter((word) => word !== '')
      .join(', '),
  ]);
  const links = agent.links.map((link) => [
    `node ${link.nodeId}`,
    link.type,
    `weight ${link.weight}`,
    link.isDirect ? 'direct' : 'over others',
    link.maxBandwidthMbps > 0 ? `${link.maxBandwidthMbps} MB/s` : '',
  ]);
  return [
    `${title}\n${formatTable(facts)}`,
    pools.length === 0
      ? ''
      : `  ${count(pools.length, 'pool')}\n${formatTable(pools, { head: ['kind', 'coherence', 'size', 'granule', ''], indent: 4 })}`,
    links.length === 0 ? '' : `  ${count(links.length, 'link')}\n${formatTable(links, { indent: 4 })}`,
  ].join('');
}

/** `computeUnits` as `compute units`; units of measure stand with the value. */
function wordsOf(name: string): string {
  return name
    .replace(/Bytes|Bits|Mhz/, '')
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^(lds|vram)/, (word) => word.toUpperCase());
}

function formatFact(name: string, value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  if (name.includes('Bytes')) return formatBytes(value);
  const unit = name.endsWith('Mhz') ? ' MHz' : name.endsWith('Bits') ? ' bits' : '';
  return `${value}${unit}`;
}
