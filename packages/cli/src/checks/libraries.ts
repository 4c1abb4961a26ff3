import { thunkLoader } from '@doorbell/runtime/layers';
import type { CheckContext, Finding } from './check.js';
import { finding } from './check.js';

/** Libraries of AMD's stack that a machine may have several copies of. */
const LIBRARIES: readonly (readonly string[])[] = [['libhsakmt.so.1'], ['librocdxg.so.1', 'librocdxg.so']];
const RUNTIME = ['libhsa-runtime64.so.1'];

/** The native module, and every copy of AMD's libraries: read, and not loaded. */
export function checkLibraries({ libraries }: CheckContext, nativeModule: () => string): Finding {
  const evidence = [`${nativeModule()} loads`];
  const problems: string[] = [];
  for (const names of LIBRARIES) {
    const reports = present(libraries, names);
    evidence.push(...reports.flatMap(describeReport));
    const usable = reports.filter((report) => report.state === 'usable');
    if (usable.length > 1)
      problems.push(
        `there are ${usable.length} copies of ${names[0] ?? ''}: which one a program loads depends on its search path`,
      );
    if (reports.length > 0 && usable.length === 0) problems.push(`no copy of ${names[0] ?? ''} can be used`);
  }
  const runtimes = present(libraries, RUNTIME).map(({ place }) => place.path);
  evidence.push(...runtimes.map((path) => `${path}: AMD's runtime`));
  if (runtimes.length > 1) problems.push(`there are ${runtimes.length} copies of ${RUNTIME[0] ?? ''}`);
  if (evidence.length === 1) evidence.push("there is no thunk library of AMD's; none is needed, Doorbell has its own thunk");
  evidence.push(...thunkLoader.placesOf(libraries, RUNTIME).notes);
  if (problems.length === 0) return finding('ok', evidence);
  return finding(
    'warning',
    [...evidence, ...problems],
    'Keep the libraries of one ROCm release on the search path (LD_LIBRARY_PATH, ldconfig).',
  );
}

/** Files that are there, each once however many links lead to it. */
function present(libraries: thunkLoader.LibrarySource, names: readonly string[]): readonly thunkLoader.PathReport[] {
  const seen = new Set<string>();
  return thunkLoader.placesOf(libraries, names).places.flatMap((place) => {
    const real = libraries.realPath(place.path);
    if (!real.ok || seen.has(real.value)) return [];
    seen.add(real.value);
    return [thunkLoader.inspectPlace(libraries, place)];
  });
}

function describeReport(report: thunkLoader.PathReport): readonly string[] {
  const { path } = report.place;
  if (report.state === 'absent') return [];
  if (report.state === 'refused') return [`${path}: cannot be used, ${report.reason}`];
  const { generation, missingOptional, drm, needed } = report.library;
  const absent = needed.filter((library) => library.path === undefined).map(({ name }) => name);
  return [
    `${path}: ${thunkLoader.describeLibrary(report.library)}`,
    `${path}: generation ${generation.generation}, since ${generation.evidence}`,
    ...(missingOptional.length === 0 ? [] : [`${path}: lacks ${missingOptional.join(', ')}`]),
    ...(absent.length === 0 ? [] : [`${path}: needs ${absent.join(', ')}, found nowhere`]),
    ...(drm.missing.length === 0 ? [] : [`${path}: of libdrm, ${drm.missing.join(', ')} cannot be bound`]),
  ];
}
