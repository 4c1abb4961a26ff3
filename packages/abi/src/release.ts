/**
 * What every `dispose` does: runs all steps in order, also after a failing one. Failures that an AggregateError holds are taken
 * out of it.
 * @throws {AggregateError} all failures, once every step has run.
 */
export function releaseAll(steps: Iterable<() => void>, message: string): void {
  const errors: unknown[] = [];
  for (const step of steps) {
    try {
      step();
    } catch (error) {
      errors.push(...reasons(error));
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, message);
}

/** {@link releaseAll} with steps that have to be waited for; each starts when the one before has ended. */
export async function releaseAllAsync(steps: Iterable<() => unknown>, message: string): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      errors.push(...reasons(error));
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, message);
}

function reasons(error: unknown): readonly unknown[] {
  return error instanceof AggregateError ? error.errors.flatMap(reasons) : [error];
}
