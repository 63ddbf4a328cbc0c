import type { Change, QueueStorage } from '../storage/queue-storage.ts'

/** The part of `navigator.locks` that the client uses. */
export type Locks = {
  request<Result>(
    name: string,
    options: { ifAvailable: true },
    work: (lock: unknown) => Promise<Result>,
  ): Promise<Result>
}

/** The right to send, which one page or process has at a time. */
export type Turn = {
  /** Applies changes, if the turn still lasts and the row of `expected` is as it was read. */
  write(changes: Change[], expected: Change): Promise<'written' | 'row changed' | 'turn lost'>
  /** Waits for a request, and keeps the turn meanwhile. */
  during<Result>(request: Promise<Result>): Promise<Result>
}

type Options = {
  storage: QueueStorage
  locks: Locks | undefined
  /** Name of this page or process, different from all others. */
  sender: string
  /** Wall clock, in milliseconds. */
  now: () => number
}

const TURN = 'l'
/** Time after which another sender goes on where one has died. */
const LEASE_MS = 20_000
const RENEW_EVERY_MS = 5_000

/**
 * Does `work` while no other page or process sends from this storage. Where the storage names a Web Lock, the browser
 * keeps the turn, and gives it on at once when a page dies. Elsewhere it is a lease, and every write of a sender
 * succeeds only while the lease is its own: two senders, as after a jump of the clock, cannot spoil each other's work.
 * @returns the result, or undefined if another one sends
 */
export async function inTurn<Result>(
  { storage, locks, sender, now }: Options,
  work: (turn: Turn) => Promise<Result>,
): Promise<Result | undefined> {
  const { lockName } = storage
  if (lockName !== undefined && locks !== undefined) {
    const turn: Turn = {
      write: async (changes, expected) => ((await storage.write(changes, [expected])) ? 'written' : 'row changed'),
      during: (request) => request,
    }
    return await locks.request(lockName, { ifAvailable: true }, async (lock) => (lock ? await work(turn) : undefined))
  }
  const readLease = async () => (await storage.read(TURN, `${TURN}~`, 1))[0]?.[1] ?? null
  let lease = await readLease()
  if (lease !== null && !isFree(lease, sender, now())) return undefined
  const renew = async (changes: Change[], expected: Change[]) => {
    const renewed = JSON.stringify({ sender, untilMs: now() + LEASE_MS })
    const isApplied = await storage.write([...changes, [TURN, renewed]], [[TURN, lease], ...expected])
    if (isApplied) lease = renewed
    return isApplied
  }
  async function during<Result>(request: Promise<Result>): Promise<Result> {
    let renewing: Promise<unknown> = Promise.resolve()
    const timer = setInterval(() => {
      renewing = renew([], []).catch(() => {})
    }, RENEW_EVERY_MS)
    try {
      return await request
    } finally {
      clearInterval(timer)
      await renewing
    }
  }
  async function write(changes: Change[], expected: Change): ReturnType<Turn['write']> {
    if (await renew(changes, [expected])) return 'written'
    return (await readLease()) === lease ? 'row changed' : 'turn lost'
  }
  if (!(await renew([], []))) return undefined
  try {
    return await work({ write, during })
  } finally {
    // Without it, the lease ends by itself.
    await storage.write([[TURN, null]], [[TURN, lease]]).catch(() => {})
  }
}

/** A lease that ends later than any lease can was made before the clock went back. */
function isFree(lease: string, sender: string, nowMs: number): boolean {
  const { sender: holder, untilMs } = JSON.parse(lease) as { sender: string; untilMs: number }
  return holder === sender || untilMs <= nowMs || untilMs > nowMs + LEASE_MS
}
