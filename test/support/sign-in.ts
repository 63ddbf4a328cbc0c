import { randomUUID } from 'node:crypto'
import { type OperatorRights, OWNER } from '../../src/operator/model/operator-rights.ts'
import type { OperatorService } from '../../src/operator/service.ts'
import { newSession } from '../../src/operator/sessions/start-session.ts'
import { type Browser, createBrowser } from './browser.ts'

/** Reads or changes the database of the operators. */
type Query = (statement: string, service: 'operator') => Promise<Record<string, unknown>[]>

const CLIENT = { address: '127.0.0.1', userAgent: 'tests' }

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
  const { row, token } = newSession(operator.id, CLIENT, now())
  await database.db.insertInto('sessions').values(row).execute()
  const name = baseUrl().startsWith('https://') ? '__Host-trackpress_session' : 'trackpress_session'
  return Object.assign(createBrowser(service.url), { cookie: `${name}=${token}` })
}

/**
 * Returns a browser in which the operator of the first start is signed in to the program in a process of its own. Its
 * session is written to the database: judging and hashing a password takes as long as the start.
 */
export async function signInFirstOperator({ url }: { url: string }, query: Query): Promise<Browser> {
  const [operator] = await query('select id from operators', 'operator')
  const { row, token } = newSession(String(operator.id), CLIENT, Date.now())
  const values = Object.values(row).map((value) => (typeof value === 'string' ? `'${value}'` : value))
  await query(`insert into sessions (${Object.keys(row)}) values (${values.map(String)})`, 'operator')
  return Object.assign(createBrowser(url), { cookie: `trackpress_session=${token}` })
}
