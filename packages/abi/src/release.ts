/**
 * What every `dispose` does: runs all steps in order, also after a failing one. Failures of steps that ran before are given as
 * `earlier`, and those that an AggregateError holds are taken out of it.
 * @throws {AggregateError} all failures, once every step has run.
 */
export function releaseAll(steps: Iterable<() => void>, message: string, earlier: readonly unknown[] = []): void {
  const errors = earlier.flatMap(reasons);
  for (const step of steps) {
    try {
      step();
    } catch (error) {
      errors.push(...reasons(error));
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, message);
}

function reasons(error: unknown): readonly unknown[] {
  return error instanceof AggregateError ? error.errors.flatMap(reasons) : [error];
}
