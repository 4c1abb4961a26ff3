import { describe, expect, it } from 'vitest';
import type { Caller } from '../src/access.js';
import { currentCaller, describeNodeAccess } from '../src/access.js';
import { fakeSysfs } from './support/fake-sysfs.js';

const caller = (gids: readonly number[], groups: Readonly<Record<number, string>>): Caller => ({
  userName: 'ada',
  uid: 1000,
  gids,
  groupName: (gid) => groups[gid],
  ownerName: (uid) => (uid === 0 ? 'root' : undefined),
});

const node = (mode: number, gid: number) => fakeSysfs({}, { '/dev/kfd': { kind: 'character-device', mode, uid: 0, gid } });

describe('describeNodeAccess', () => {
  it('gives owner, group, mode, the groups of the caller and the usermod line for the group the node has', () => {
    const access = describeNodeAccess(
      node(0o660, 109),
      '/dev/kfd',
      caller([1000, 44], { 1000: 'ada', 44: 'video', 109: 'render' }),
    );
    expect(access.meaning).toBe(
      'the node belongs to root(0):render(109) with mode 0660; you are ada(1000) in ada(1000), video(44)',
    );
    expect(access.hint).toContain('sudo usermod -a -G render ada');
    expect(access.details).toEqual({ user: 'ada', uid: 1000, gids: [1000, 44], owner: 0, group: 109, mode: '0660' });
  });

  it('names the number for docker where the group has no name', () => {
    const access = describeNodeAccess(node(0o660, 39), '/dev/kfd', caller([0], { 0: 'root' }));
    expect(access.hint).toContain('--group-add 39');
    expect(access.hint).not.toContain('usermod');
  });

  it('looks elsewhere when the caller is in the right group', () => {
    expect(describeNodeAccess(node(0o660, 109), '/dev/kfd', caller([109], {})).hint).toContain('--device');
  });

  it('says that the mode is too narrow for the group', () => {
    expect(describeNodeAccess(node(0o600, 109), '/dev/kfd', caller([109], {})).hint).toContain('chmod g+rw /dev/kfd');
  });

  it('copes with a node that cannot be looked at', () => {
    expect(describeNodeAccess(fakeSysfs({}), '/dev/kfd', caller([1], {})).meaning).toContain('ENOENT');
  });
});

describe('currentCaller', () => {
  it('tells this process', () => {
    const me = currentCaller();
    expect(me.uid).toBe(process.getuid!());
    expect(me.gids).toContain(process.getgid!());
  });
});
