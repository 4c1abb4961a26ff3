import { type Finding, type FindingPlace, type FindingSeverity, MAX_PLACES, type RetargetRule } from './types.js';

/** What all findings of one kind have alike. */
export interface FindingKind {
  readonly rule: RetargetRule;
  readonly severity: FindingSeverity;
  readonly message: string;
}

const ORDER: Readonly<Record<FindingSeverity, number>> = { blocker: 0, doubt: 1, info: 2 };

/** Different findings that one report has; the rest is counted under one line. */
const MAX_FINDINGS = 1000;

/** Collects findings: those of one kind are counted, and only the first places are kept. */
export class FindingList {
  readonly #groups = new Map<string, FindingKind & { count: number; readonly places: FindingPlace[] }>();
  #refuses = false;

  /** Whether something is in the way or in doubt. */
  get refuses(): boolean {
    return this.#refuses;
  }

  /** Counts one finding. `place` is asked for only when there is room for it. */
  add(kind: FindingKind, place?: () => FindingPlace): void {
    if (kind.severity !== 'info') this.#refuses = true;
    const group = this.#group(kind);
    group.count++;
    if (place !== undefined && group.places.length < MAX_PLACES) group.places.push(place());
  }

  /** Blockers first. */
  toFindings(): readonly Finding[] {
    return [...this.#groups.values()].sort((a, b) => ORDER[a.severity] - ORDER[b.severity]);
  }

  #group(kind: FindingKind): { count: number; readonly places: FindingPlace[] } {
    const key = `${kind.rule} ${kind.severity} ${kind.message}`;
    const known = this.#groups.get(key);
    if (known !== undefined) return known;
    if (this.#groups.size >= MAX_FINDINGS) return this.#rest(kind);
    const group = { ...kind, count: 0, places: [] };
    this.#groups.set(key, group);
    return group;
  }

  /** One group for each severity takes what does not fit. */
  #rest({ rule, severity }: FindingKind): { count: number; readonly places: FindingPlace[] } {
    const key = `rest ${severity}`;
    let group = this.#groups.get(key);
    if (group === undefined) {
      group = {
        rule,
        severity,
        message: `more than ${MAX_FINDINGS} kinds of findings; the rest is counted here`,
        count: 0,
        places: [],
      };
      this.#groups.set(key, group);
    }
    return group;
  }
}
