import { randomUUID } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { inTransaction } from '#platform/database/transaction.ts'
import type { OperatorRole } from '#platform/http/operators/operator-access.ts'
import { MAX_NAME_LENGTH, operatorNameKey } from '../domain/operator-name.ts'
import { isLastOwner } from './local-owners.ts'
import type { OperatorRow, OperatorTables, SessionRow } from './tables.ts'
import { type SpentChallenge, spendChallenge } from './used-challenges.ts'

/** A person at a provider. */
type Person = { issuer: string; subject: string; name: string; role: OperatorRole | undefined }

/** The end of a sign-in through the provider. */
export type ProviderSignIn =
  | { outcome: 'signed in'; session: SessionRow; operator: OperatorRow; isNew: boolean; keptRole: boolean }
  | { outcome: 'no role'; operatorId: string | undefined; endedSessions: boolean }
  | { outcome: 'used' }

/** Accounts of people who sign in through a provider, bound to the issuer and the subject there. */
export type IdentitiesStore = {
  /**
   * Opens a session for a person: makes the account at first, and gives it the role of today. The last owner who can
   * sign in here keeps that role. A person without a role gets no session, and loses those there are.
   */
  signIn(
    person: Person,
    challenge: SpentChallenge,
    newSession: (operatorId: string) => SessionRow,
  ): Promise<ProviderSignIn>
  /** Uses the answer of a provider to confirm a session: `another` if the person is not its operator. */
  confirm(
    operatorId: string,
    person: Pick<Person, 'issuer' | 'subject'>,
    challenge: SpentChallenge,
  ): Promise<'confirmed' | 'another' | 'used'>
  /** Returns the issuers of the persons who are an operator. */
  issuersOf(operatorId: string): Promise<string[]>
}

export function createIdentitiesStore(db: Kysely<OperatorTables>, now: () => number): IdentitiesStore {
  return {
    async signIn(person, challenge, newSession) {
      return await inTransaction(
        db,
        async (transaction): Promise<ProviderSignIn> => {
          if (!(await spendChallenge(transaction, challenge))) return { outcome: 'used' }
          const known = await findOperator(transaction, person)
          if (person.role === undefined) return await refuse(transaction, known)
          const operator = known ?? (await addOperator(transaction, { ...person, role: person.role }, now()))
          const keptRole = known !== undefined && !(await changeRole(transaction, known, person.role))
          const session = newSession(operator.id)
          const signedIn = { last_sign_in_at: session.created_at }
          await transaction.updateTable('operators').set(signedIn).where('id', '=', operator.id).execute()
          await transaction.insertInto('sessions').values(session).execute()
          return { outcome: 'signed in', session, operator, isNew: known === undefined, keptRole }
        },
        { isolation: 'serializable' },
      )
    },

    async confirm(operatorId, person, challenge) {
      return await inTransaction(db, async (transaction) => {
        if (!(await spendChallenge(transaction, challenge))) return 'used'
        return (await findOperator(transaction, person))?.id === operatorId ? 'confirmed' : 'another'
      })
    },

    async issuersOf(operatorId) {
      const rows = await db.selectFrom('identities').select('issuer').where('operator_id', '=', operatorId).execute()
      return rows.map(({ issuer }) => issuer)
    },
  }
}

async function findOperator(
  transaction: Transaction<OperatorTables>,
  { issuer, subject }: Pick<Person, 'issuer' | 'subject'>,
): Promise<OperatorRow | undefined> {
  return await transaction
    .selectFrom('identities')
    .innerJoin('operators', 'operators.id', 'identities.operator_id')
    .selectAll('operators')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

async function refuse(
  transaction: Transaction<OperatorTables>,
  known: OperatorRow | undefined,
): Promise<ProviderSignIn> {
  if (known === undefined || (await isLastOwner(transaction, known.id)))
    return { outcome: 'no role', operatorId: known?.id, endedSessions: false }
  await transaction.deleteFrom('sessions').where('operator_id', '=', known.id).execute()
  return { outcome: 'no role', operatorId: known.id, endedSessions: true }
}

/** Gives an operator the role. Returns false for the last owner, who keeps it. */
async function changeRole(
  transaction: Transaction<OperatorTables>,
  operator: OperatorRow,
  role: OperatorRole,
): Promise<boolean> {
  if (operator.role === role) return true
  if (await isLastOwner(transaction, operator.id)) return false
  // An owner has no limits; other roles keep those that they have.
  const changes = role === 'owner' ? { role, is_limited: 0 } : { role }
  await transaction.updateTable('operators').set(changes).where('id', '=', operator.id).execute()
  if (role === 'owner') await transaction.deleteFrom('operator_grants').where('operator_id', '=', operator.id).execute()
  return true
}

async function addOperator(
  transaction: Transaction<OperatorTables>,
  { issuer, subject, name: wanted, role }: Person & { role: OperatorRole },
  nowMs: number,
): Promise<OperatorRow> {
  const name = await freeName(transaction, wanted)
  const operator: OperatorRow = {
    id: randomUUID(),
    name,
    name_key: operatorNameKey(name),
    password_hash: null,
    created_at: nowMs,
    last_sign_in_at: null,
    role,
    is_limited: 0,
  }
  await transaction.insertInto('operators').values(operator).execute()
  await transaction
    .insertInto('identities')
    .values({ issuer, subject, operator_id: operator.id, created_at: nowMs })
    .execute()
  return operator
}

/** Room for a number behind the name. */
const LONGEST_GIVEN_NAME = MAX_NAME_LENGTH - 10

/** Returns the name, with a number if another operator has it: the name is for people and proves nothing. */
async function freeName(transaction: Transaction<OperatorTables>, wanted: string): Promise<string> {
  const clean = wanted.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
  const name = [...clean].slice(0, LONGEST_GIVEN_NAME).join('').trim() || 'Operator'
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name} ${number}`
    const taken = await transaction
      .selectFrom('operators')
      .select('id')
      .where('name_key', '=', operatorNameKey(candidate))
      .executeTakeFirst()
    if (taken === undefined) return candidate
  }
}
