import type { Fetch } from '../../clients/typescript/src/queue/exchange.ts'
import type { QueueStorage } from '../../clients/typescript/src/storage/queue-storage.ts'

/** The life of one process of an app, which ends at some operation. */
export type Life = {
  /** Resolves when the process has died. */
  readonly death: Promise<'dead'>
  readonly isOver: boolean
  /** Ends the life at the operation after `count` more, before or after that operation has taken effect. */
  dieAfter(count: number, isTooLate: boolean): void
  /** Does something at the operation after `count` more, before that operation takes effect. */
  doAfter(count: number, action: () => void): void
  /** Runs an operation as this process: what it does after its death has no effect, and nobody hears of it. */
  operate<Result>(operation: () => Promise<Result>): Promise<Result>
}

const never = <Result>() => new Promise<Result>(() => {})

/** Begins a life. */
export function beginLife(): Life {
  let left = Number.POSITIVE_INFINITY
  let diesAfterwards = false
  let isOver = false
  const actions: { left: number; action: () => void }[] = []
  let die = () => {}
  const death = new Promise<'dead'>((resolve) => {
    die = () => {
      isOver = true
      resolve('dead')
    }
  })
  return {
    death,
    get isOver() {
      return isOver
    },
    dieAfter(count, isTooLate) {
      left = count
      diesAfterwards = isTooLate
    },
    doAfter(count, action) {
      actions.push({ left: count, action })
    },
    async operate(operation) {
      if (isOver) return await never()
      for (const one of actions) if (one.left-- === 0) one.action()
      if (left-- > 0) {
        const result = await operation()
        return isOver ? await never() : result
      }
      if (diesAfterwards) void operation().catch(() => {})
      die()
      return await never()
    },
  }
}

/** Storage as one process uses it. `isFull` tells before each write whether there is space. */
export function mortalStorage(storage: QueueStorage, life: Life, isFull: () => boolean): QueueStorage {
  return {
    read: (...given) => life.operate(() => storage.read(...given)),
    write: (...given) =>
      life.operate(async () => {
        if (isFull()) throw Object.assign(new Error('database or disk is full'), { name: 'QuotaExceededError' })
        return await storage.write(...given)
      }),
  }
}

/** `fetch` as one process uses it. */
export function mortalFetch(fetch: Fetch, life: Life): Fetch {
  return (...given) => life.operate(() => fetch(...given))
}
