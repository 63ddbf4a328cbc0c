import type { Logger } from '../../logger.ts'

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/**
 * Returns a logger that adds `bindings` to each line and is created on first use: most requests log nothing, and
 * creating one takes longer than finding their route.
 */
export function lazyChild(parent: Logger, bindings: Record<string, unknown>): Logger {
  return new LazyChild(parent, bindings) as unknown as Logger
}

class LazyChild {
  readonly #parent: Logger
  readonly #bindings: Record<string, unknown>
  #made: Logger | undefined

  constructor(parent: Logger, bindings: Record<string, unknown>) {
    this.#parent = parent
    this.#bindings = bindings
  }

  get level(): string {
    return this.#parent.level
  }

  get made(): Logger {
    this.#made ??= this.#parent.child(this.#bindings)
    return this.#made
  }

  child(bindings: Record<string, unknown>): Logger {
    return this.made.child(bindings)
  }

  isLevelEnabled(level: string): boolean {
    return this.#parent.isLevelEnabled(level)
  }
}

for (const level of LEVELS) {
  Object.defineProperty(LazyChild.prototype, level, {
    value(this: LazyChild, ...line: Parameters<Logger['info']>) {
      if (this.isLevelEnabled(level)) this.made[level](...line)
    },
  })
}
