import type { HsaApiTable, ToolVersions, VersionPair } from '@doorbell/api-table';
import { findMismatches, formatVersionPair, pairVersions } from '@doorbell/api-table';

/** Why a tool was left out. */
export type ToolFailure =
  /** It could not be opened. */
  | 'not-opened'
  | 'no-on-load'
  /** It was made for other versions of the tables. */
  | 'version'
  /** `OnLoad` returned false. */
  | 'refused'
  /** Its `onLoad` threw. */
  | 'threw'
  /** Another runtime of this process has it: a library keeps one set of original functions. */
  | 'in-use';

/** A tool that was asked for and is not there; the runtime goes on without it. */
export interface FailedTool {
  /** As the variable names it. */
  readonly name: string;
  readonly kind: 'library' | 'module';
  /** The file, where one was found. */
  readonly path?: string;
  readonly reason: ToolFailure;
  readonly message: string;
  /** The dynamic loader's words. */
  readonly dlopenMessage?: string;
  /** Every table's version here, and the tool's where it tells. */
  readonly versions: readonly VersionPair[];
}

/** What happened, without what every report has. */
export interface ToolTrouble extends Pick<FailedTool, 'name' | 'kind' | 'reason'> {
  readonly path?: string | undefined;
  readonly dlopenMessage?: string;
  /** What a thrown error says. */
  readonly thrown?: string;
  readonly theirs?: ToolVersions | undefined;
}

/** The report of a failed tool, in words too. */
export function reportFailure(tables: HsaApiTable, trouble: ToolTrouble): FailedTool {
  const { name, kind, reason, path, dlopenMessage, theirs } = trouble;
  const versions = pairVersions(tables, theirs);
  return {
    name,
    kind,
    reason,
    ...(path === undefined ? {} : { path }),
    ...(dlopenMessage === undefined ? {} : { dlopenMessage }),
    message: `tool ${path ?? name} was left out: ${wordsOf(trouble, versions)}`,
    versions,
  };
}

function wordsOf({ reason, kind, dlopenMessage, thrown, theirs }: ToolTrouble, versions: readonly VersionPair[]): string {
  const onLoad = kind === 'library' ? 'OnLoad' : 'onLoad';
  switch (reason) {
    case 'not-opened':
      return dlopenMessage ?? thrown ?? 'it could not be opened';
    case 'no-on-load':
      return `it exports no ${onLoad}`;
    case 'version':
      return `it was made for other API tables: ${findMismatches(versions).map(formatVersionPair).join('; ')}`;
    case 'refused': {
      const told = theirs === undefined ? '; for which ones it was made, it does not tell' : '';
      return `its ${onLoad} returned false. The API tables: ${versions.map(formatVersionPair).join('; ')}${told}`;
    }
    case 'threw':
      return `its ${onLoad} threw: ${thrown ?? 'something'}`;
    case 'in-use':
      return 'another runtime of this process has it loaded, and a library keeps one set of original functions';
  }
}
