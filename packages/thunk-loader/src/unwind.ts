/** Steps that take back what was done so far, run last first when a later step fails. */
export class Unwind {
  readonly #steps: (() => unknown)[] = [];

  add(step: () => unknown): void {
    this.#steps.push(step);
  }

  /**
   * Runs all steps. A step that throws does not stop the others: the error that led here is the one that the caller
   * rethrows, and is worth more than what follows from it.
   */
  run(): void {
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        step();
      } catch {
        continue;
      }
    }
  }
}
