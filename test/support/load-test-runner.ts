import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'

/** The hook of the runner, which notes the id of each test as the test is made. */
type Hook = { init(asyncId: number, type: string, triggerAsyncId: number, resource: object): void }

/** Undefined until the first test is declared. */
let hook: Hook | undefined
/** The id of the test whose code runs, also after it has waited. */
const running = new AsyncLocalStorage<number>()

/** Becomes the base of the runner's tests, which run their functions by it. */
class RunningResource extends AsyncResource {
  constructor(type: string) {
    super(type)
    hook?.init(this.asyncId(), type, 0, this)
  }

  override runInAsyncScope<This, Result, Args extends unknown[]>(
    run: (this: This, ...args: Args) => Result,
    thisArg?: This,
    ...args: Args
  ): Result {
    return super.runInAsyncScope(() => running.run(this.asyncId(), () => run.apply(thisArg!, args)))
  }
}

/**
 * Loads `node:test` so that it keeps the test whose code runs in an `AsyncLocalStorage`, in which it then finds where a
 * test is declared, and which test an error belongs to that nothing has caught. By itself it has a hook called as each
 * promise is made, goes on and is collected, which takes an eighth of the processor time of tests.
 *
 * It takes what it needs for that from `node:async_hooks` as it is loaded, so no module may have imported it before.
 */
export async function loadTestRunner(): Promise<void> {
  const hooks = process.getBuiltinModule('node:async_hooks')
  const { createHook, executionAsyncId } = hooks
  Object.assign(hooks, {
    AsyncResource: RunningResource,
    executionAsyncId: () => running.getStore() ?? 0,
    createHook(given: Hook) {
      hook = given
      return { enable() {}, disable() {} }
    },
  })
  await import('node:test')
  Object.assign(hooks, { AsyncResource, createHook, executionAsyncId })
}
