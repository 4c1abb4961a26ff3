/** What gives a container away, one row for each kind; systemd's detect-virt and the container runtimes' own manuals. */
import type { Evidence, PlatformSource, Surrounding } from './platform.js';

interface ContainerRule {
  readonly name: string;
  /** Files or folders that only such a container has. */
  readonly paths?: readonly string[];
  /** Variables that it sets. */
  readonly variables?: readonly string[];
  /** Values of `container` in the environment of process 1, or of ours. */
  readonly container?: readonly string[];
  /** Parts of a cgroup path; cgroup v2 with a namespace of its own shows none. */
  readonly cgroup?: RegExp;
}

const RULES: readonly ContainerRule[] = [
  {
    name: 'kubernetes',
    paths: ['/var/run/secrets/kubernetes.io/serviceaccount', '/run/secrets/kubernetes.io/serviceaccount'],
    variables: ['KUBERNETES_SERVICE_HOST'],
    cgroup: /kubepods/,
  },
  { name: 'docker', paths: ['/.dockerenv'], container: ['docker'], cgroup: /\/docker[-/]|\/docker$/ },
  { name: 'podman', paths: ['/run/.containerenv'], container: ['podman'], cgroup: /libpod/ },
  {
    name: 'apptainer',
    paths: ['/.singularity.d'],
    variables: ['APPTAINER_CONTAINER', 'APPTAINER_NAME', 'SINGULARITY_CONTAINER', 'SINGULARITY_NAME'],
  },
  { name: 'lxc', paths: ['/dev/lxd', '/dev/incus'], container: ['lxc', 'lxc-libvirt'], cgroup: /\/lxc(\.payload)?[./]/ },
  { name: 'systemd-nspawn', paths: ['/run/host/container-manager'], container: ['systemd-nspawn'] },
  { name: 'toolbox', paths: ['/run/.toolboxenv'] },
  { name: 'distrobox', variables: ['DISTROBOX_ENTER_PATH'] },
  { name: 'flatpak', paths: ['/.flatpak-info'], variables: ['FLATPAK_ID'] },
  { name: 'snap', variables: ['SNAP_NAME'] },
];

/** Every kind of container that something speaks for. */
export function findContainers({ sysfs, env }: PlatformSource): readonly Surrounding[] {
  const cgroups = ['/proc/1/cgroup', '/proc/self/cgroup'].flatMap((path) => {
    const file = sysfs.readText(path);
    return file.ok ? [{ path, lines: file.value.split('\n') }] : [];
  });
  const declared = declaredContainers({ sysfs, env });
  const found = RULES.flatMap((rule): Surrounding[] => {
    const evidence: Evidence[] = [
      ...(rule.paths ?? []).flatMap((path) => {
        const stat = sysfs.stat(path);
        return stat.ok ? [{ where: path, found: stat.value.kind }] : [];
      }),
      ...(rule.variables ?? []).flatMap((name) => (env[name] ? [{ where: `$${name}`, found: env[name] }] : [])),
      ...declared.filter(({ found: value }) => rule.container?.includes(value)),
      ...cgroups.flatMap(({ path, lines }) => {
        const line = lines.find((text) => rule.cgroup?.test(text));
        return line === undefined ? [] : [{ where: path, found: line }];
      }),
    ];
    return evidence.length === 0 ? [] : [{ kind: 'container', name: rule.name, evidence }];
  });
  const known = RULES.flatMap(({ container = [] }) => container);
  const others = declared.filter(({ found: value }) => !known.includes(value));
  return [
    ...found,
    ...others.map((evidence): Surrounding => ({ kind: 'container', name: evidence.found, evidence: [evidence] })),
  ];
}

/** The variable `container`, which container managers set for process 1. */
function declaredContainers({ sysfs, env }: Pick<PlatformSource, 'sysfs' | 'env'>): readonly Evidence[] {
  const own = env['container'] ? [{ where: '$container', found: env['container'] }] : [];
  const file = sysfs.readText('/proc/1/environ');
  const entry = file.ok ? file.value.split('\0').find((text) => text.startsWith('container=')) : undefined;
  const value = entry?.slice('container='.length);
  if (!value || own.some(({ found }) => found === value)) return own;
  return [...own, { where: '/proc/1/environ', found: value }];
}
