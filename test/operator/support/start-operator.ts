import type { OperatorService } from '../../../src/operator/service.ts'
import { type Browser, createBrowser } from '../../support/browser.ts'
import type { Owner, TestDatabase } from '../../support/databases.ts'
import { type ServiceOptions, type StartedService, startService } from '../../support/start-service.ts'

/** The program with the dashboard alone, or with other services, and a clock that only the test moves. */
export type StartedOperator = {
  url: string
  service: OperatorService
  /** Token of the link that the first start printed. */
  firstLink: string
  clock: { nowMs: number }
  /** Returns a browser without a session. */
  browser(): Browser
  /** Returns a browser in which the first operator has signed in with the first link. */
  signedIn(): Promise<Browser>
  /** Starts another instance on the same database. */
  startAnother(): Promise<StartedOperator>
}

export const PASSWORD = 'a quiet lake at dawn'

/** Starts the program on a fresh database of the given engine. The owner stops and removes it. */
export async function startOperator(
  owner: Owner,
  database: TestDatabase,
  options: Omit<ServiceOptions, 'signedIn' | 'now'> = {},
): Promise<StartedOperator> {
  const clock = { nowMs: Date.now() }
  const now = () => clock.nowMs
  return operatorOf(await startService(owner, database, { services: ['dashboard'], ...options, now }), clock)
}

function operatorOf(
  { url, server, startAnother }: Pick<StartedService, 'url' | 'server' | 'startAnother'>,
  clock: StartedOperator['clock'],
): StartedOperator {
  const firstLink = server.firstStart.operator?.signInPath.split('#token=')[1] ?? ''
  const browser = () => createBrowser(url)
  return {
    url,
    service: server.operator!,
    firstLink,
    clock,
    browser,
    async signedIn() {
      const fresh = browser()
      await fresh.request('POST', '/operator/sign-in-link', { token: firstLink, password: PASSWORD })
      return fresh
    },
    startAnother: async () => operatorOf(await startAnother(), clock),
  }
}
