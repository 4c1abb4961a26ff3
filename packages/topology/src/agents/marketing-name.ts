/** The name on the box: libdrm's list, else what the board says of itself. */
import type { SysfsSource } from '@doorbell/abi';

/** Where distributions and ROCm put libdrm's list. */
const AMDGPU_IDS_PATHS: readonly string[] = ['/usr/share/libdrm/amdgpu.ids', '/opt/amdgpu/share/libdrm/amdgpu.ids'];
/** Bound against hostile files; the list has some 40 KB. */
const MAX_CHARS = 1 << 20;

/** Finds marketing names; the list is read once, when first needed. */
export class MarketingNames {
  readonly #source: SysfsSource;
  #list: ReadonlyMap<string, string> | undefined;

  constructor(source: SysfsSource) {
    this.#source = source;
  }

  /** The name, or an empty string where nothing tells it. */
  find({ deviceId, renderMinor }: { readonly deviceId: number; readonly renderMinor: number }): string {
    const device = `/sys/class/drm/renderD${renderMinor}/device`;
    const revision = Number.parseInt(this.#text(`${device}/revision`), 16);
    const listed = Number.isNaN(revision) ? undefined : this.#names().get(nameKey(deviceId, revision));
    return listed ?? this.#text(`${device}/product_name`);
  }

  #names(): ReadonlyMap<string, string> {
    this.#list ??= parseAmdgpuIds(AMDGPU_IDS_PATHS.map((path) => this.#text(path)).find((text) => text !== '') ?? '');
    return this.#list;
  }

  #text(path: string): string {
    const read = this.#source.readText(path);
    return read.ok ? read.value.trim().slice(0, MAX_CHARS) : '';
  }
}

/** Lines of `device, revision, name`, numbers in hex without prefix; `#` starts a comment. */
function parseAmdgpuIds(text: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const line of text.split('\n')) {
    const match = /^([0-9A-Fa-f]{1,8}),\s*([0-9A-Fa-f]{1,8}),\s*(.+)$/.exec(line);
    if (match === null) continue;
    const [, device = '', revision = '', name = ''] = match;
    names.set(nameKey(Number.parseInt(device, 16), Number.parseInt(revision, 16)), name.trim());
  }
  return names;
}

function nameKey(deviceId: number, revision: number): string {
  return `${deviceId}:${revision}`;
}
