import { threadPool } from '#platform/basics/thread-pool.ts'

/** The thread, and with it the dictionaries, ends after this time without a password. */
const IDLE_MS = 10_000

export type PasswordJudge = ReturnType<typeof createPasswordJudge>

/** Creates a judge of new passwords. It runs in a thread: judging a long password takes up to half a second. */
export function createPasswordJudge() {
  const pool = threadPool<[string, string], boolean>(new URL('./password-weakness.ts', import.meta.url), {
    run: 'isWeakPassword',
    maxThreads: 1,
    idleMs: IDLE_MS,
  })
  return {
    /** Tells whether a password is easy to guess. */
    isWeak: (password: string, operatorName: string): Promise<boolean> => pool.run([password, operatorName]),
    close: pool.close,
  }
}
