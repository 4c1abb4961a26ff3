/** The files of an emulated machine as real files in a folder: a preloaded program opens them in place of the machine's own. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Files whose text changes while the machine runs. */
const CHANGING = /(?:_used|\/used_memory)$/;

/**
 * Writes the tree below `root`. Links become relative, so that they stay inside. Device nodes become empty files: the preloaded library
 * answers for them. Gives a function that writes the files again whose text changes.
 */
export function writeSysfsFiles(source, root) {
  const changing = [];
  const write = (path) => {
    const link = source.readLink(path);
    if (link.ok) {
      symlinkSync(relative(dirname(path), link.value), join(root, path));
      return;
    }
    if (must(source.stat(path), path).kind === 'directory') {
      mkdirSync(join(root, path), { recursive: true });
      for (const name of must(source.list(path), path)) write(join(path, name));
      return;
    }
    const text = source.readText(path);
    writeFileSync(join(root, path), text.ok ? text.value : '');
    if (CHANGING.test(path)) changing.push(path);
  };
  write('/');
  return (changed = source) => {
    for (const path of changing) writeFileSync(join(root, path), must(changed.readText(path), path));
  };
}

function must(result, path) {
  if (result.ok) return result.value;
  throw new Error(`${path} of the emulated machine: ${result.errno}`);
}
