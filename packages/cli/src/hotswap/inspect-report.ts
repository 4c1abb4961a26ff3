import { abi, codeObject } from '@doorbell/runtime/layers';
import type { Colors } from '../output.js';
import { count, formatBytes, formatTable } from '../text.js';
import type { DeviceEntry } from './entries.js';
import { listDeviceEntries, rankDeviceEntries } from './entries.js';

/** What `hotswap inspect --json` prints. */
export interface FileReport {
  readonly file: string;
  readonly format: codeObject.DeviceFileFormat;
  readonly sizeBytes: number;
  readonly entries: readonly EntryReport[];
  /** The entry to take for `--target`; undefined where none suits it or may be rewritten. */
  readonly best?: number;
  readonly problems: readonly codeObject.DeviceFileProblem[];
}

interface EntryReport {
  readonly index: number;
  readonly id: string;
  readonly sizeBytes: number;
  readonly place: codeObject.EntryPlace;
  readonly problem?: string;
  readonly isaName?: string;
  /** As the metadata writes it. */
  readonly metadataTarget?: string;
  readonly version?: number;
  readonly kind?: string;
  readonly isGeneric?: boolean;
  readonly genericVersion?: number;
  /** The processor's name and number may still change. */
  readonly isProvisional?: boolean;
  readonly stepping?: string;
  /** How it suits `--target`; undefined where it does not. */
  readonly fit?: codeObject.EntryFit;
}

/** Looks at a file; with a target also at what suits it. */
export function inspectFile(path: string, bytes: Uint8Array, target: codeObject.TargetId | undefined): FileReport {
  const file = codeObject.parseDeviceFile(bytes);
  const entries = listDeviceEntries(file);
  const ranked = target === undefined ? [] : rankDeviceEntries(entries, target);
  const fits = new Map(ranked.map(({ item, fit }) => [item.index, fit]));
  const best = ranked[0]?.item.index;
  return {
    file: path,
    format: file.format,
    sizeBytes: bytes.length,
    entries: entries.map((entry) => reportEntry(entry, fits.get(entry.index))),
    ...(best === undefined ? {} : { best }),
    problems: file.problems,
  };
}

function reportEntry({ index, entry, identity, problem }: DeviceEntry, fit: codeObject.EntryFit | undefined): EntryReport {
  const about =
    identity === undefined
      ? {}
      : {
          isaName: identity.isaName,
          ...(identity.metadataTarget === undefined ? {} : { metadataTarget: identity.metadataTarget }),
          version: identity.version,
          kind: identity.kind,
          isGeneric: identity.isGeneric,
          genericVersion: identity.target.genericVersion,
          isProvisional: abi.findProcessor(identity.target.processor)?.isProvisional ?? false,
          ...(identity.stepping === undefined ? {} : { stepping: identity.stepping }),
        };
  return {
    index,
    id: entry.id,
    sizeBytes: entry.bytes.length,
    place: entry.place,
    ...about,
    ...(problem === undefined ? {} : { problem }),
    ...(fit === undefined ? {} : { fit }),
  };
}

const FORMATS: Readonly<Record<codeObject.DeviceFileFormat, string>> = {
  'code-object': 'code object',
  'offload-bundle': 'offload bundle',
  'host-file': 'host file',
};

const FITS: Readonly<Record<codeObject.EntryFit, string>> = {
  native: 'made for it',
  'native-any': 'made for it, whatever its features',
  generic: 'generic code that it runs',
  retarget: 'may be rewritten for it',
};

/** The report as text. */
export function formatInspection({ file, format, sizeBytes, entries, best, problems }: FileReport, color: Colors): string {
  const head = `${file}: ${FORMATS[format]}, ${formatBytes(sizeBytes)}, ${count(entries.length, 'code object')} for AMD GPUs\n`;
  const parts = entries.map((entry) => formatEntry(entry, { isBest: entry.index === best, color }));
  return [head, ...parts, ...problems.map(({ message }) => `\n${color.yellow('problem')}: ${message}\n`)].join('');
}

function formatEntry(entry: EntryReport, { isBest, color }: { readonly isBest: boolean; readonly color: Colors }): string {
  const { section, bundle, compression, fileOffset } = entry.place;
  const place = [
    ...(section === undefined ? [] : [`section ${section}`]),
    ...(bundle === undefined ? [] : [`bundle ${bundle}`]),
    compression === undefined
      ? `offset 0x${fileOffset.toString(16)}`
      : `in ${compression} at offset 0x${fileOffset.toString(16)}`,
  ].join(', ');
  const generic = entry.isGeneric === true ? `, generic version ${entry.genericVersion}` : '';
  const rows = [
    ...(entry.isaName === undefined
      ? []
      : [
          ['target', `${entry.isaName}${entry.isProvisional === true ? ' (a name that may still change)' : ''}`],
          ['metadata', entry.metadataTarget ?? 'names no target'],
          ['object', `version ${entry.version}, ${entry.kind}${generic}`],
        ]),
    ...(entry.stepping === undefined ? [] : [['stepping', entry.stepping.toUpperCase()]]),
    ['place', `${place}, ${formatBytes(entry.sizeBytes)}`],
    ...(entry.fit === undefined ? [] : [['suits', `${FITS[entry.fit]}${isBest ? ` ${color.green('(best)')}` : ''}`]]),
    ...(entry.problem === undefined ? [] : [[color.yellow('problem'), entry.problem]]),
  ];
  return `\nEntry ${entry.index}: ${color.bold(entry.id)}\n${formatTable(rows)}`;
}
