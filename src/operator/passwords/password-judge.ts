import { Piscina } from 'piscina'

/** The thread, and with it the dictionaries, ends after this time without a password. */
const IDLE_MS = 10_000

export type PasswordJudge = {
  /** Tells whether a password is easy to guess. */
  isWeak(password: string, operatorName: string): Promise<boolean>
  close(): Promise<void>
}

/** Creates a judge of new passwords. It runs in a thread: judging a long password takes up to half a second. */
export function createPasswordJudge(): PasswordJudge {
  const pool = new Piscina({
    filename: new URL('./password-weakness.ts', import.meta.url).href,
    name: 'isWeakPassword',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    recordTiming: false,
    // The thread needs none of the secrets in the environment.
    env: {},
  })
  return {
    isWeak: async (password, operatorName) => await pool.run([password, operatorName]),
    close: async () => await pool.close(),
  }
}
