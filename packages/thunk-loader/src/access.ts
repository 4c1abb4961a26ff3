import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { SysfsSource } from '@doorbell/abi';

/** Who asks for access; {@link currentCaller} says it of this process. */
export interface Caller {
  readonly userName: string;
  readonly uid: number;
  /** Group ids of the process, the primary one among them. */
  readonly gids: readonly number[];
  /** Name of a group of this system, if it has one. */
  groupName(gid: number): string | undefined;
  ownerName(uid: number): string | undefined;
}

/** What to tell somebody who may not open a device node. */
export interface NodeAccess {
  readonly meaning: string;
  readonly hint: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The user and groups of this process, names from /etc/passwd and /etc/group. */
export function currentCaller(): Caller {
  return {
    userName: userNameOr('$USER'),
    uid: process.getuid?.() ?? 0,
    gids: [...new Set([...(process.getgroups?.() ?? []), process.getgid?.() ?? 0])].sort((a, b) => a - b),
    groupName: (gid) => nameInFile('/etc/group', gid),
    ownerName: (uid) => nameInFile('/etc/passwd', uid),
  };
}

/** Explains with owner, group and mode of a device node why this caller may not open it, and how to change that. */
export function describeNodeAccess(sysfs: SysfsSource, path: string, caller: Caller = currentCaller()): NodeAccess {
  const groups = caller.gids.map((gid) => nameAndId(caller.groupName(gid), gid)).join(', ');
  const stat = sysfs.stat(path);
  const whoDetails = { user: caller.userName, uid: caller.uid, gids: caller.gids };
  if (!stat.ok) {
    return {
      meaning: `its owner and mode cannot be read (${stat.errno}); you are ${caller.userName} in ${groups}`,
      hint: `Look at the node's permissions: ls -ln ${path}`,
      details: whoDetails,
    };
  }
  const { mode, uid, gid } = stat.value;
  const octal = mode.toString(8).padStart(4, '0');
  const group = caller.groupName(gid);
  const meaning =
    `the node belongs to ${nameAndId(caller.ownerName(uid), uid)}:${nameAndId(group, gid)} with mode ${octal}; ` +
    `you are ${nameAndId(caller.userName, caller.uid)} in ${groups}`;
  return {
    meaning,
    hint: accessHint(path, { mode, gid, group, caller }),
    details: { ...whoDetails, owner: uid, group: gid, mode: octal },
  };
}

function accessHint(
  path: string,
  node: { readonly mode: number; readonly gid: number; readonly group: string | undefined; readonly caller: Caller },
): string {
  const { mode, gid, group, caller } = node;
  if ((mode & 0o060) !== 0o060)
    return `The group may not read and write the node; an administrator has to change its mode: chmod g+rw ${path}`;
  if (caller.gids.includes(gid)) {
    return 'You are in the right group, so something else denies access: the device policy of a container (docker --device), or a security module.';
  }
  if (group === undefined) {
    return `Group ${gid} has no name here (a container?): start the container with --group-add ${gid}.`;
  }
  return `Run: sudo usermod -a -G ${group} ${caller.userName}, then log in again (in a container: --group-add ${gid}).`;
}

function nameAndId(name: string | undefined, id: number): string {
  return name === undefined ? `${id}` : `${name}(${id})`;
}

function userNameOr(fallback: string): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without entry in passwd, as containers have; the shell's variable still makes a usable command line.
    return fallback;
  }
}

/** Looks an id up in a file of `name:password:id:…` lines. */
function nameInFile(path: string, id: number): string | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    // No such file, as in minimal containers: ids are shown as numbers.
    return undefined;
  }
  for (const line of text.split('\n')) {
    const [name, , field] = line.split(':');
    if (name !== undefined && Number(field) === id && field !== '') return name;
  }
  return undefined;
}
