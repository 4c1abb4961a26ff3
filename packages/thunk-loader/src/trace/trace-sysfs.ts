import type { SysfsResult, SysfsSource } from '@doorbell/abi';
import type { TraceSink } from './trace-event.js';
import { emit } from './trace-event.js';

/** Trees that are traced: a device over one of them does not tell its reads twice. */
const traced = new WeakSet<SysfsSource>();

/** The same tree, with each access told to `trace`; one that is traced already stays as it is. */
export function traceSysfs(sysfs: SysfsSource, trace: TraceSink): SysfsSource {
  if (traced.has(sysfs)) return sysfs;
  const told =
    <T>(
      call: 'readText' | 'list' | 'stat' | 'readLink',
      describe: (value: T) => string,
      read: (path: string) => SysfsResult<T>,
    ) =>
    (path: string): SysfsResult<T> => {
      const result = read(path);
      emit(trace, { step: 'sysfs', call, path, outcome: result.ok ? describe(result.value) : result.errno });
      return result;
    };
  const source: SysfsSource = {
    readText: told('readText', describeText, (path) => sysfs.readText(path)),
    list: told(
      'list',
      (names) => (names.length > 8 ? `${names.length} names` : `[${names.join(', ')}]`),
      (path) => sysfs.list(path),
    ),
    stat: told(
      'stat',
      ({ kind, mode, uid, gid }) => `${kind}, mode ${mode.toString(8).padStart(4, '0')}, owner ${uid}, group ${gid}`,
      (path) => sysfs.stat(path),
    ),
    readLink: told(
      'readLink',
      (target) => `-> ${target}`,
      (path) => sysfs.readLink(path),
    ),
  };
  traced.add(source);
  return source;
}

/** Short texts whole, others by their size. */
function describeText(text: string): string {
  const line = text.trimEnd();
  const lines = line.split('\n').length;
  return lines === 1 && line.length <= 60 ? `«${line}»` : `${text.length} bytes, ${lines} lines`;
}
