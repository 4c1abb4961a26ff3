import { HsaError, isHsaError } from '@doorbell/abi';
import type { Thunk } from '../thunk.js';
import { emit } from '../trace/trace-event.js';
import type { ThunkBackend, ThunkCandidate } from './candidates.js';
import { candidateOrder, probeDxg } from './candidates.js';
import { systemLibraries } from './library-source.js';
import type { LoadThunkOptions } from './try-candidate.js';
import { tryCandidate } from './try-candidate.js';

export type { LoadThunkOptions } from './try-candidate.js';

/** A thunk that came up, with every candidate in the order of trying. */
export interface LoadedThunk {
  readonly thunk: Thunk;
  readonly backend: ThunkBackend;
  readonly candidates: readonly ThunkCandidate[];
}

/**
 * Finds a thunk and opens it; the answer lists every candidate with the reason it was taken or refused.
 * @throws {HsaError} ERR_THUNK_NOT_FOUND with every candidate's error in `cause` when none comes up; the candidate's own error
 * when only one was asked for.
 * @example
 * const { thunk, candidates } = await loadThunk({ backend: 'auto' });
 */
export async function loadThunk(options: LoadThunkOptions = {}): Promise<LoadedThunk> {
  const { backend = 'auto', trace } = options;
  const libraries = options.libraries ?? systemLibraries();
  const dxg = probeDxg(libraries);
  const order = backend === 'auto' ? candidateOrder(libraries, dxg) : [backend];
  const candidates: ThunkCandidate[] = [];
  const decide = (candidate: ThunkCandidate): void => {
    const { state, reason } = candidate;
    candidates.push(candidate);
    emit(trace, { step: 'decision', backend: candidate.backend, state, reason });
  };
  for (const [index, name] of order.entries()) {
    emit(trace, { step: 'candidate', backend: name });
    const attempt = await tryCandidate(name, { options, libraries, dxg });
    decide(attempt.candidate);
    if (attempt.thunk === undefined) continue;
    for (const other of order.slice(index + 1)) decide(notTried(other, name));
    return { thunk: attempt.thunk, backend: name, candidates };
  }
  throw noneFound(candidates);
}

function notTried(backend: ThunkBackend, taken: ThunkBackend): ThunkCandidate {
  return { backend, state: 'not-tried', reason: `${taken}, which comes before it, was taken`, facts: {} };
}

function noneFound(candidates: readonly ThunkCandidate[]): Error {
  const errors = candidates.flatMap(({ error }) => (error === undefined ? [] : [error]));
  const [only] = errors;
  if (errors.length === 1 && only !== undefined) return only;
  const hint = errors.find((error): error is HsaError => isHsaError(error) && error.hint !== undefined)?.hint;
  return new HsaError('ERR_THUNK_NOT_FOUND', {
    message: `no thunk came up: ${candidates.map(({ backend, reason }) => `${backend}: ${reason}`).join('; ')}`,
    ...(hint === undefined ? {} : { hint }),
    details: { candidates },
    cause: new AggregateError(errors, 'every candidate was refused'),
  });
}
