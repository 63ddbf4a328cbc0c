import { describeError, type Logger } from '../../logger.ts'

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/**
 * Returns the logger of a request. It adds `bindings` to each line and is created on first use: most requests log
 * nothing, and creating one takes longer than finding their route. The framework quotes `address` in some of its
 * warnings; it is left out, because it can be a capability.
 */
export function lazyChild(parent: Logger, bindings: Record<string, unknown>, address?: string): Logger {
  return new LazyChild(parent, bindings, address) as unknown as Logger
}

class LazyChild {
  readonly #parent: Logger
  readonly #bindings: Record<string, unknown>
  readonly #address: string | undefined
  #made: Logger | undefined

  constructor(parent: Logger, bindings: Record<string, unknown>, address: string | undefined) {
    this.#parent = parent
    this.#bindings = bindings
    this.#address = address
  }

  get level(): string {
    return this.#parent.level
  }

  get made(): Logger {
    this.#made ??= this.#parent.child(this.#bindings, {
      serializers: { err: (error: unknown) => this.#hideInError(error) },
    })
    return this.#made
  }

  /** Replaces the address, which the framework puts in quotation marks. */
  hide<Value>(value: Value): Value | string {
    return typeof value === 'string' ? value.replaceAll(`"${this.#address}"`, '"[hidden]"') : value
  }

  #hideInError(error: unknown): unknown {
    const logged = describeError(error)
    return { ...logged, message: this.hide(logged.message), stack: this.hide(logged.stack) }
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
    value(this: LazyChild, ...line: unknown[]) {
      if (this.isLevelEnabled(level)) this.made[level](...(line.map((part) => this.hide(part)) as [unknown]))
    },
  })
}
