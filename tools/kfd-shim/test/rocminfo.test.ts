import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { missing, removeFiles, runOn } from './client.js';
import type { Info } from './rocminfo-facts.js';
import { agentFacts, isaFacts, poolFacts, systemFacts } from './rocminfo-facts.js';
import type { Row } from './rocminfo-text.js';
import { parseRocminfo } from './rocminfo-text.js';

const require = createRequire(import.meta.url);
const reason = missing('rocminfo', 'lsmod');

afterAll(removeFiles);

describe.skipIf(reason !== '')(`rocminfo on the emulated device ${reason}`, () => {
  it.each(['gfx90a', 'gfx1030'])('prints of %s what doorbell info --json says, value by value', async (target) => {
    const { code, out, err } = await runOn(target, 'rocminfo');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('ROCk module is loaded');
    const rows = parseRocminfo(out);
    const info = infoOf(target);
    expect(Math.max(...rows.map(({ agent }) => agent))).toBe(info.agents.length);
    const values = (row: Row): string => `agent ${row.agent} ${row.part} ${row.label} = ${row.value}`;
    expect(rows.map(values)).toEqual(rows.map((row) => values({ ...row, value: factOf(info, row) ?? '(not in doorbell info)' })));
    expect(rows.length).toBeGreaterThan(100);
  });
});

/** From the built command, as a user has it. */
function infoOf(target: string): Info {
  const command = join(dirname(require.resolve('@doorbell/cli/package.json')), 'bin/doorbell.js');
  const options = [command, 'info', '--json', '--backend', 'emulated', '--isa', target];
  return JSON.parse(execFileSync(process.execPath, options, { encoding: 'utf8' })) as Info;
}

function factOf(info: Info, { agent, part, label }: Row): string | undefined {
  if (agent === 0) return systemFacts(info)[label];
  const described = info.agents[agent - 1]!;
  const number = Number(/\d+$/.exec(part)?.[0] ?? 0) - 1;
  if (part.startsWith('Pool')) return poolFacts(described)[number]?.[label];
  if (part.startsWith('ISA')) return isaFacts(described, number)[label];
  return agentFacts(described)[label];
}
