import { SourceError } from './problems.js';

interface Level {
  /** Whether a branch of it was taken already. */
  wasTaken: boolean;
  isActive: boolean;
  hasElse: boolean;
  /** Whether what is around it is assembled. */
  readonly isOuterActive: boolean;
}

/** The open `.if`s. */
export class Conditionals {
  readonly #levels: Level[] = [];

  /** Whether lines are assembled here. */
  get isActive(): boolean {
    return this.#levels.at(-1)?.isActive ?? true;
  }

  get depth(): number {
    return this.#levels.length;
  }

  /** `.if…`; the condition is asked only where it counts. */
  begin(condition: () => boolean): void {
    const isOuterActive = this.isActive;
    // Whatever the condition is, the level is there: its .endif must find it.
    const level: Level = { wasTaken: true, isActive: false, hasElse: false, isOuterActive };
    this.#levels.push(level);
    if (!isOuterActive) return;
    level.isActive = condition();
    level.wasTaken = level.isActive;
  }

  elseIf(condition: () => boolean): void {
    const level = this.#top('.elseif');
    level.isActive = false;
    if (level.isOuterActive && !level.wasTaken) {
      level.isActive = condition();
      level.wasTaken = level.isActive;
    }
  }

  otherwise(): void {
    const level = this.#top('.else');
    level.hasElse = true;
    level.isActive = level.isOuterActive && !level.wasTaken;
    level.wasTaken = true;
  }

  end(): void {
    if (this.#levels.pop() === undefined) throw new SourceError('.endif without .if');
  }

  /** Closes levels that were opened inside an expansion that is over. */
  unwind(depth: number): void {
    this.#levels.length = Math.min(this.#levels.length, depth);
  }

  #top(directive: string): Level {
    const level = this.#levels.at(-1);
    if (!level || level.hasElse) throw new SourceError(`${directive} without .if`);
    return level;
  }
}
