import { randomUUID } from 'node:crypto'
import { type OperatorRights, OWNER } from '../../src/operator/model/operator-rights.ts'
import type { OperatorService } from '../../src/operator/service.ts'
import { newSession } from '../../src/operator/sessions/start-session.ts'
import { type Browser, createBrowser } from './browser.ts'

/**
 * Returns a browser in which a new operator of a running program is signed in: `request` sends the session's cookie, as
 * the pages of the dashboard do. The operator has no password, because judging one takes longer than most tests.
 */
export async function signIn(
  service: { url: string; server: { operator: OperatorService | undefined } },
  rights: OperatorRights = OWNER,
): Promise<Browser> {
  const { accounts, database, baseUrl, now } = service.server.operator!.deps
  const { operator } = await accounts.create(`Operator ${randomUUID()}`, rights)
  const { row, token } = newSession(operator.id, { address: '127.0.0.1', userAgent: 'tests' }, now())
  await database.db.insertInto('sessions').values(row).execute()
  const name = baseUrl().startsWith('https://') ? '__Host-trackpress_session' : 'trackpress_session'
  return Object.assign(createBrowser(service.url), { cookie: `${name}=${token}` })
}
