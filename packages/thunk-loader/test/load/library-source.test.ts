import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { skipReason } from '@doorbell/test-support';
import { describe, expect, it } from 'vitest';
import { systemLibraries } from '../../src/load/library-source.js';
import { temporaryFolder } from '../support/built-library.js';

const noPipes = skipReason('mkfifo');

describe.skipIf(noPipes !== '')(`systemLibraries${noPipes && ` (${noPipes})`}`, () => {
  it('reads files only: neither a pipe that nobody writes, nor a device, which may have no end', () => {
    using folder = temporaryFolder();
    const source = systemLibraries({});
    const pipe = join(folder.path, 'pipe');
    execFileSync('mkfifo', [pipe]);
    symlinkSync('/dev/null', join(folder.path, 'device'));
    // The device first: a reader that takes it would wait for ever at the pipe.
    expect(source.readBytes(join(folder.path, 'device'), 4096)).toEqual({ ok: false, errno: 'ENODEV' });
    expect(source.readBytes(pipe, 4096)).toEqual({ ok: false, errno: 'ENODEV' });
    expect(source.readBytes(folder.path, 4096)).toEqual({ ok: false, errno: 'EISDIR' });
  });

  it('answers for links that lead nowhere, and in circles', () => {
    using folder = temporaryFolder();
    const source = systemLibraries({});
    symlinkSync('b', join(folder.path, 'a'));
    symlinkSync('a', join(folder.path, 'b'));
    symlinkSync('nothing', join(folder.path, 'c'));
    expect(source.realPath(join(folder.path, 'a'))).toEqual({ ok: false, errno: 'ELOOP' });
    expect(source.realPath(join(folder.path, 'c'))).toEqual({ ok: false, errno: 'ENOENT' });
  });
});
